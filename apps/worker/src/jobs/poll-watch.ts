import type { Worker, WorkerEvents } from "graphile-worker";

/** A silence is counted in parts: a process that was frozen loses one part, and first reads what arrived meanwhile. */
const parts = 4;

/**
 * Reports a lane whose polls all fail, or that has an unanswered poll, for `graceMs`. A poll that waits for its slot has not begun. A
 * query timeout of the pool would end other queries too, and leave busy connections.
 */
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
      if (++silentParts < parts) return;
      onAnswer(worker);
      onOver(new Error(`A poll for jobs was not answered within ${graceMs} ms.`));
    }, graceMs / parts);
    unanswered.set(worker, timer.unref());
  });

  // A repeated poll is not always repeated whole: the result of its first query (task numbers) is cached, also if it failed.
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
