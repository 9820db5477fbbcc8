import type { Worker, WorkerEvents } from "graphile-worker";

/** A silence is counted in so many parts: a process that was frozen goes on with one part spent, and reads first what came meanwhile. */
const parts = 4;

/**
 * Tells when a lane's polls get nowhere for `graceMs`: all of them fail, or one is not answered, whose slot nobody else can have.
 * A poll that waits for its slot has not begun. Told from here, because a query timeout of the pool would end other queries as well and
 * leave connections behind that are still busy.
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
    let spent = 0;
    const timer = setInterval(() => {
      if (++spent < parts) return;
      onAnswer(worker);
      onOver(new Error(`A poll for jobs was not answered within ${graceMs} ms.`));
    }, graceMs / parts);
    unanswered.set(worker, timer.unref());
  });

  // A failed poll is repeated, but not always whole: what the first one asks (the tasks' numbers) is kept for ever, its failure too.
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
