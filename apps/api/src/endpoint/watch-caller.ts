import { DomainError } from "@reports/core/base";
import type { EndpointInput } from "./endpoint.ts";

/** A caller who waits or follows a stream for a while. */
export interface WatchedCaller extends Disposable {
  /** Aborts once the credentials are no longer valid for the caller. */
  readonly refused: AbortSignal;
}

/**
 * Reviews a caller's credentials every so many milliseconds during a long response, until it is disposed of. If they cannot be reviewed, for
 * example because the database is unavailable, the next review decides: in the meantime the response reveals nothing new.
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
