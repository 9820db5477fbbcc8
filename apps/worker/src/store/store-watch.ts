import type { StoreIdentity, StoreState } from "@reports/core/base";
import { StartingError, withDeadline, type Logger } from "@reports/runtime";
import type { Period } from "../clocks.ts";
import { createPeriodicWork } from "../maintenance/periodic-work.ts";

/** What the watch uses. */
export interface StoreWatchDeps {
  readonly identity: StoreIdentity & { state(): StoreState };
  /** Gives a new deployment its store; says whether it did. */
  readonly adopt: (signal: AbortSignal) => Promise<boolean>;
  /** Writes to the store. */
  readonly prove: (signal: AbortSignal) => Promise<void>;
  readonly period: Period;
  readonly logger: Logger;
}

/** Looks at the file store from before the first report is taken until the worker stops. */
export interface StoreWatch {
  /** Resolves after the first look, whatever it finds. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Rejects while the store is not the right one, cannot be asked, or has never taken a write of this worker. */
  check(signal: AbortSignal): Promise<void>;
}

/** Of one look, with adoption and proof. */
const timeoutMs = 8_000;

/** Makes the watch: it adopts an empty store where it may, and proves once that the store can be written to. */
export function createStoreWatch({ identity, adopt, prove, period, logger }: StoreWatchDeps): StoreWatch {
  let isProven = false;
  let saidWhy = false;

  async function lookOnce(signal: AbortSignal): Promise<void> {
    if (identity.state() !== "ok" && (await adopt(signal))) logger.info("the empty file store was adopted");
    await identity.assert({ signal });
    if (isProven) return;
    await prove(signal);
    isProven = true;
  }

  async function look(stopping: AbortSignal): Promise<void> {
    try {
      // A file system that hangs heeds no signal.
      await withDeadline(lookOnce, timeoutMs, "Looking at the file store", stopping);
    } catch (error) {
      // Of the store's state the identity has told already; what is left is told once.
      if (identity.state() !== "ok" || saidWhy || stopping.aborted) return;
      saidWhy = true;
      logger.error("the file store cannot be written to; this worker is not ready until it can", { error });
    }
  }

  const timer = createPeriodicWork({ name: "store", ...period, work: look, logger });
  return {
    async start() {
      await look(new AbortController().signal);
      timer.start();
    },
    stop: async () => timer.stop(),
    async check(signal) {
      await identity.assert({ maxAgeMs: period.everyMs, signal });
      if (!isProven) throw new StartingError("This worker has not written to the file store yet.");
    },
  };
}
