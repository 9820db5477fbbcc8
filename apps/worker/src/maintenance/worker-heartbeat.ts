import { StoreUnavailableError } from "@reports/core/base";
import type { ServedTypes, WorkerIdentity, WorkerRegistry } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { WorkerClocks } from "../clocks.ts";
import { joinWorkers } from "./join-workers.ts";

export interface WorkerHeartbeatOptions {
  readonly registry: WorkerRegistry;
  readonly identity: Omit<WorkerIdentity, "servedTypes" | "spoolBytes">;
  readonly servedTypes: () => ServedTypes;
  readonly spoolBytes: () => number;
  /** The ids that lock this worker's jobs. */
  readonly poolIds: () => readonly string[];
  readonly clocks: Pick<WorkerClocks["life"], "heartbeatMs" | "graceMs" | "deadAfterMs">;
  /** Called once if no heartbeat reached the database for `graceMs`. The worker must end, because others soon take over its reports. */
  readonly onLost: (error: Error) => void;
  readonly logger: Logger;
}

export interface WorkerHeartbeat {
  /** Resolves with the first heartbeat. Rejects with StartupError without a common webhook key, or if aborted. */
  start(signal: AbortSignal): Promise<void>;
  /** Null before the first one. */
  ageMs(): number | null;
  /** Announces an ordered stop: later losses count as those of a deployment. */
  announceStop(): Promise<void>;
  /** Removes the worker's row, because it left nothing behind. Does nothing once the heartbeat is lost. */
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
    // The row is as old as the moment of sending.
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
      // Checks more often than it writes, so that a process that was frozen immediately sees that its time is over.
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
