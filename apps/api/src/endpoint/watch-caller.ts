import { DomainError } from "@reports/core";
import type { EndpointInput } from "./endpoint.ts";

/** A caller who is waited for or told things for a while. */
export interface WatchedCaller extends Disposable {
  /** Aborts once the credentials do not stand for the caller any more. */
  readonly refused: AbortSignal;
}

/**
 * Judges a caller's credentials every so many milliseconds while an answer takes long, until it is disposed of. Where that cannot be told,
 * because the database is away for one, they are judged again the next time: the answer itself tells nothing new meanwhile.
 */
export function watchCaller(input: Pick<EndpointInput<never>, "confirmCaller">, everyMs: number): WatchedCaller {
  const refusal = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;
  const judgeLater = (): void => {
    if (!isDisposed) timer = setTimeout(() => void judge().then(judgeLater), everyMs);
  };
  const judge = async (): Promise<void> => {
    try {
      await input.confirmCaller();
    } catch (error) {
      if (error instanceof DomainError && error.kind === "unauthenticated") refusal.abort(error);
    }
  };
  judgeLater();
  return {
    refused: refusal.signal,
    [Symbol.dispose]() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
