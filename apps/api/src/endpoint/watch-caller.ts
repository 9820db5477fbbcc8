import { DomainError } from "@reports/core/base";
import type { EndpointInput } from "./endpoint.ts";

/** A caller of a long response. */
export interface WatchedCaller extends Disposable {
  readonly refused: AbortSignal;
}

/**
 * Reviews a caller's credentials every `everyMs` during a long response, until disposed. If the review fails (database unavailable), the
 * next one decides: meanwhile the response reveals nothing new.
 */
export function watchCaller(input: Pick<EndpointInput<never>, "confirmCaller">, everyMs: number): WatchedCaller {
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
