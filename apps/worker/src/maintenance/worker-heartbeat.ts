import { StoreUnavailableError } from "@reports/core/base";
import type { ServedTypes, WorkerIdentity, WorkerRegistry } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { WorkerClocks } from "../clocks.ts";
import { joinWorkers } from "./join-workers.ts";

/** How a worker shows that it lives. */
export interface WorkerHeartbeatOptions {
  readonly registry: WorkerRegistry;
  readonly identity: Omit<WorkerIdentity, "servedTypes" | "spoolBytes">;
  /** What this worker can run now. */
  readonly servedTypes: () => ServedTypes;
  /** The largest file that it can make. */
  readonly spoolBytes: () => number;
  /** The ids under which this worker's jobs are locked now. */
  readonly poolIds: () => readonly string[];
  readonly clocks: Pick<WorkerClocks["life"], "heartbeatMs" | "graceMs" | "deadAfterMs">;
  /** Called once, when no heartbeat has reached the database for `graceMs`: the worker must end, because others soon take over its reports. */
  readonly onLost: (error: Error) => void;
  readonly logger: Logger;
}

/** The worker's own heartbeat. */
export interface WorkerHeartbeat {
  /**
   * Resolves with the first beat. Rejects with StartupError if the worker shares no key of webhooks with those that run, with
   * StoreUnavailableError, and with the signal's reason.
   */
  start(signal: AbortSignal): Promise<void>;
  /** How long ago the last beat reached the database; null before the first one. */
  ageMs(): number | null;
  /** Says that the worker stops by order; from then on what it loses was lost by a deploy. */
  announceStop(): Promise<void>;
  /** Removes the worker's row: it has left nothing behind. Does nothing once the heartbeat is lost. */
  stop(): Promise<void>;
}

/** Makes the heartbeat; nothing happens before `start`. */
export function createWorkerHeartbeat(options: WorkerHeartbeatOptions): WorkerHeartbeat {
  const { registry, identity, logger, clocks } = options;
  let lastBeatAt: number | null = null;
  let beating: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let nextBeatAt = 0;
  let lost = false;

  const self = (): WorkerIdentity => ({
    ...identity,
    servedTypes: options.servedTypes(),
    spoolBytes: options.spoolBytes(),
  });
  const beat = async (): Promise<void> => {
    const begunAt = performance.now();
    await registry.beat(self(), options.poolIds());
    // The row is as old as the moment in which the beat was sent, not in which its answer came.
    lastBeatAt = begunAt;
  };
  const look = (): void => {
    const now = performance.now();
    if (lastBeatAt !== null && now - lastBeatAt > clocks.graceMs) {
      lost = true;
      clearInterval(timer);
      const seconds = Math.round((now - lastBeatAt) / 1000);
      options.onLost(
        new StoreUnavailableError(
          `No heartbeat of this worker has reached the database for ${seconds} s; other workers recover its reports.`,
        ),
      );
    } else if (beating === null && now >= nextBeatAt) {
      nextBeatAt = now + clocks.heartbeatMs;
      beating = beat()
        .catch((error: unknown) => logger.warn("heartbeat failed", { error }))
        .finally(() => (beating = null));
    }
  };

  return {
    async start(signal) {
      await joinWorkers({
        join: async (ignored) => {
          const begunAt = performance.now();
          const strangers = await registry.join(self(), options.poolIds(), ignored);
          if (strangers.length === 0) lastBeatAt = begunAt;
          return strangers;
        },
        signal,
        logger,
        deadAfterMs: clocks.deadAfterMs,
      });
      nextBeatAt = performance.now() + clocks.heartbeatMs;
      // Looks more often than it beats, so that a process that was frozen sees at once that its time is over.
      timer = setInterval(look, Math.min(500, clocks.heartbeatMs));
    },
    ageMs: () => (lastBeatAt === null ? null : performance.now() - lastBeatAt),
    announceStop: () => registry.announceStop(identity.workerId),
    async stop() {
      clearInterval(timer);
      if (lost) return;
      await beating;
      await registry.remove(identity.workerId);
    },
  };
}
