import type { WorkerWithoutSharedWebhookKey } from "@reports/core/report";
import { StartupError, type Logger } from "@reports/runtime";
import { setTimeout as wait } from "node:timers/promises";

export interface RegisterWorkerOptions {
  /**
   * Registers this worker. If it has webhook keys, and no running worker with webhook keys shares one, registers nothing and returns those workers.
   * IDs in `ignored` do not count.
   */
  readonly join: (ignored: readonly string[]) => Promise<readonly WorkerWithoutSharedWebhookKey[]>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly deadAfterMs: number;
  readonly everyMs?: number;
}

/** Registers this worker. Rejects with StartupError if a worker is alive that shares no webhook key with it. */
export async function registerWorker(options: RegisterWorkerOptions): Promise<void> {
  const { join, signal, logger, deadAfterMs, everyMs = 500 } = options;
  const firstSeen = new Map<string, number>();
  const deadAt = performance.now() + deadAfterMs;
  for (;;) {
    const isOver = performance.now() > deadAt;
    const strangers = await join(isOver ? [...firstSeen.keys()] : []);
    if (strangers.length === 0) return;
    if (firstSeen.size === 0)
      logger.warn("no key of WEBHOOK_KEY is shared with the other workers; waiting to see whether they run", {
        hosts: strangers.map(({ host }) => host),
      });
    for (const { workerId, host, lastSeenAt } of strangers) {
      const seenAt = firstSeen.get(workerId);
      if (seenAt !== undefined && seenAt !== lastSeenAt.getTime()) throw createRefusal(host, strangers.length);
      firstSeen.set(workerId, lastSeenAt.getTime());
    }
    await wait(everyMs, undefined, { signal });
  }
}

function createRefusal(host: string, count: number): StartupError {
  const workers =
    count === 1 ? `the running worker on ${host}` : `the ${count} running workers, such as that on ${host}`;
  return new StartupError(
    `WEBHOOK_KEY shares no key with ${workers}. Give all workers the same WEBHOOK_KEY; to replace it, follow docs/guides/running/rotate-secrets.md. If the running workers have a wrong key, or the old key is lost, stop them first.`,
  );
}
