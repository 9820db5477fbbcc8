import { StoreUnavailableError } from "@reports/core/base";
import type { ServedTypeVersions, WorkerRegistration, WorkerRegistry } from "@reports/core/report";
import type { Logger } from "@reports/runtime";
import type { WorkerTimings } from "../clocks.ts";
import { registerWorker } from "./register-worker.ts";

export interface WorkerHeartbeatOptions {
  readonly registry: WorkerRegistry;
  readonly identity: Omit<WorkerRegistration, "servedTypes" | "spoolBytes">;
  readonly servedTypes: () => ServedTypeVersions;
  readonly spoolBytes: () => number;
  readonly poolIds: () => readonly string[];
  readonly clocks: Pick<WorkerTimings["life"], "heartbeatMs" | "graceMs" | "deadAfterMs">;
  /** Called once, if no heartbeat has reached the database for `graceMs`. The worker must end, because other workers will soon rescue its reports. */
  readonly onLost: (error: Error) => void;
  readonly logger: Logger;
}

export interface WorkerHeartbeat {
  /** Resolves after the first heartbeat. Rejects with StartupError if a running worker shares no webhook key with this one. */
  start(signal: AbortSignal): Promise<void>;
  ageMs(): number | null;
  /** Records that this worker is stopping. A later loss of its attempts does not count against their reports. */
  announceStop(): Promise<void>;
  /** Removes the row of this worker from the database. A worker whose heartbeat is lost leaves it, so that others rescue its reports. */
  stop(): Promise<void>;
}

export function createWorkerHeartbeat(options: WorkerHeartbeatOptions): WorkerHeartbeat {
  const { registry, identity, logger, clocks } = options;
  let lastHeartbeatAt: number | null = null;
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let nextHeartbeatAt = 0;
  let lost = false;

  const self = (): WorkerRegistration => ({
    ...identity,
    servedTypes: options.servedTypes(),
    spoolBytes: options.spoolBytes(),
  });
  const sendHeartbeat = async (): Promise<void> => {
    const sentAt = performance.now();
    await registry.heartbeat(self(), options.poolIds());
    // Postgres may answer late, so the heartbeat counts from the time at which it was sent.
    lastHeartbeatAt = sentAt;
  };
  const tick = (): void => {
    const now = performance.now();
    if (lastHeartbeatAt !== null && now - lastHeartbeatAt > clocks.graceMs) {
      lost = true;
      clearInterval(timer);
      const seconds = Math.round((now - lastHeartbeatAt) / 1000);
      options.onLost(
        new StoreUnavailableError(
          `No heartbeat of this worker has reached the database for ${seconds} s; other workers recover its reports.`,
        ),
      );
    } else if (sending === null && now >= nextHeartbeatAt) {
      nextHeartbeatAt = now + clocks.heartbeatMs;
      sending = sendHeartbeat()
        .catch((error: unknown) => logger.warn("heartbeat failed", { error }))
        .finally(() => (sending = null));
    }
  };

  return {
    async start(signal) {
      await registerWorker({
        join: async (ignored) => {
          const sentAt = performance.now();
          const strangers = await registry.join(self(), options.poolIds(), ignored);
          if (strangers.length === 0) lastHeartbeatAt = sentAt;
          return strangers;
        },
        signal,
        logger,
        deadAfterMs: clocks.deadAfterMs,
      });
      nextHeartbeatAt = performance.now() + clocks.heartbeatMs;
      // Ticks are more frequent than heartbeats, so that a process that was frozen soon notices that its grace is over.
      timer = setInterval(tick, Math.min(500, clocks.heartbeatMs));
    },
    ageMs: () => (lastHeartbeatAt === null ? null : performance.now() - lastHeartbeatAt),
    announceStop: () => registry.announceStop(identity.workerId),
    async stop() {
      clearInterval(timer);
      if (lost) return;
      await sending;
      await registry.remove(identity.workerId);
    },
  };
}
