import type { Worker, WorkerEvents } from "graphile-worker";

/** The grace is counted in parts. A process that was frozen loses only one part, and can first read an answer that has arrived. */
const graceParts = 4;

/** Calls `onOver` if all polls of a lane fail for `graceMs`, or if a poll gets no answer for `graceMs`. Waiting for a slot does not count. */
export function watchPolls(
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

  // One failed query can make all further polls fail: graphile-worker caches the result of the first query, even a failure.
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
