import type { Worker, WorkerEvents } from "graphile-worker";

/**
 * `graceMs` is counted in four timer ticks. After a freeze of the process, only one tick counts, so that an answer that has arrived can still be
 * read.
 */
const graceParts = 4;

/** Calls `onOver` if all polls of a lane fail for `graceMs`, or one stays unanswered for `graceMs`. Waiting for a slot does not count. */
export function watchQueuePolls(
  events: WorkerEvents,
  { graceMs, onOver }: { readonly graceMs: number; readonly onOver: (error: unknown) => void },
): void {
  const unanswered = new Map<Worker, NodeJS.Timeout>();
  const onAnswer = (worker: Worker): void => {
    clearInterval(unanswered.get(worker));
    unanswered.delete(worker);
  };
  events.on("worker:getJob:start", ({ worker }) => {
    let silentParts = 0;
    const timer = setInterval(() => {
      if (++silentParts < graceParts) return;
      onAnswer(worker);
      onOver(new Error(`A poll for jobs was not answered within ${graceMs} ms.`));
    }, graceMs / graceParts);
    unanswered.set(worker, timer.unref());
  });

  // graphile-worker caches the result of its first query, even a failure. So a single failed query can make all later polls fail.
  let failingSince: number | null = null;
  for (const answer of ["job:start", "worker:getJob:empty"] as const) {
    events.on(answer, ({ worker }) => {
      onAnswer(worker);
      failingSince = null;
    });
  }
  events.on("worker:getJob:error", ({ worker, error }) => {
    onAnswer(worker);
    failingSince ??= performance.now();
    if (performance.now() - failingSince > graceMs) onOver(error);
  });
}
