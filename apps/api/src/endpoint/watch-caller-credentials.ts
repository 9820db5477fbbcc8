import { DomainError } from "@reports/core/base";
import type { HandlerInput } from "./endpoint.ts";

export interface CallerCredentialsWatch extends Disposable {
  readonly refused: AbortSignal;
}

/**
 * Checks a caller's credentials every `everyMs` milliseconds during a long response, until disposed. If a check itself fails, for example because
 * the database is unavailable, the response continues and the next check decides.
 */
export function watchCallerCredentials(
  input: Pick<HandlerInput<never>, "confirmCaller">,
  everyMs: number,
): CallerCredentialsWatch {
  const refusal = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;
  const reviewLater = (): void => {
    if (!isDisposed) timer = setTimeout(() => void review().then(reviewLater), everyMs);
  };
  const review = async (): Promise<void> => {
    try {
      await input.confirmCaller();
    } catch (error) {
      if (error instanceof DomainError && error.kind === "unauthenticated") refusal.abort(error);
    }
  };
  reviewLater();
  return {
    refused: refusal.signal,
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
