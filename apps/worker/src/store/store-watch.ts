import type { StoreIdentity, StoreState } from "@reports/core/base";
import { StillStartingError, withDeadline, type Logger } from "@reports/runtime";
import type { JitteredPeriod } from "../clocks.ts";
import { createPeriodicWork } from "../maintenance/periodic-work.ts";

export interface StoreWatchDeps {
  readonly identity: StoreIdentity & { state(): StoreState };
  readonly adopt: (signal: AbortSignal) => Promise<boolean>;
  readonly prove: (signal: AbortSignal) => Promise<void>;
  readonly period: JitteredPeriod;
  readonly logger: Logger;
}

export interface StoreWatch {
  /** Resolves after the first check, even if that check fails. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Rejects while the store has the wrong store ID, does not respond, or has never accepted a write of this worker. */
  check(signal: AbortSignal): Promise<void>;
}

const checkTimeoutMs = 8_000;

export function createStoreWatch({ identity, adopt, prove, period, logger }: StoreWatchDeps): StoreWatch {
  let isProven = false;
  let hasLogged = false;

  async function checkOnce(signal: AbortSignal): Promise<void> {
    if (identity.state() !== "ok" && (await adopt(signal))) logger.info("the empty file store was adopted");
    await identity.assert({ signal });
    if (isProven) return;
    await prove(signal);
    isProven = true;
  }

  async function checkAndLog(stopping: AbortSignal): Promise<void> {
    try {
      // Calls to a file system that hangs ignore the signal, so the check needs a deadline.
      await withDeadline(checkOnce, checkTimeoutMs, "Looking at the file store", stopping);
    } catch (error) {
      // `identity` logs changes of the store's state. Any other cause is logged here, once per process.
      if (identity.state() !== "ok" || hasLogged || stopping.aborted) return;
      hasLogged = true;
      logger.error("the file store cannot be written to; this worker is not ready until it can", { error });
    }
  }

  const timer = createPeriodicWork({ name: "store", ...period, work: checkAndLog, logger });
  return {
    async start() {
      await checkAndLog(new AbortController().signal);
      timer.start();
    },
    stop: async () => timer.stop(),
    async check(signal) {
      await identity.assert({ maxAgeMs: period.everyMs, signal });
      if (!isProven) throw new StillStartingError("This worker has not written to the file store yet.");
    },
  };
}
