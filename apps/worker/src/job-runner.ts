import { EventEmitter } from "node:events";
import { ShutdownError } from "@reports/core";
import type { Logger as WorkerLogger } from "@reports/runtime";
import { Logger, run, type Runner, type RunnerOptions, type TaskList, type WorkerEvents } from "graphile-worker";

/** How jobs are taken from the queue. */
export interface JobRunnerOptions {
  /** Of two connections more than jobs at once; closed by the runner's stop. */
  readonly pool: NonNullable<RunnerOptions["pgPool"]>;
  readonly concurrency: number;
  readonly logger: WorkerLogger;
  /** How long running jobs may go on once the runner is told to stop. */
  readonly graceMs: number;
  /** When every look for a job has failed for this long, the runner counts as ended. */
  readonly lookGraceMs: number;
  /** Flags of jobs that may not be taken now; asked before each job. */
  readonly forbiddenFlags: () => string[];
  /** Called when the runner ends without having been told to: the process must end, for its jobs would stay locked otherwise. */
  readonly onUnexpectedEnd: (error: unknown) => void;
}

/** Jobs are announced; this is for those that become due, and for lanes that open again. */
const pollIntervalMs = 1_000;

/** Takes jobs from the queue and runs them. */
export interface JobRunner {
  start(tasks: TaskList): Promise<void>;
  /** The ids under which jobs are locked; known as soon as `start` is called. */
  poolIds(): readonly string[];
  /** Whether jobs are being taken. */
  isRunning(): boolean;
  /** Stops taking jobs, gives the running ones the grace, then has them handed back; resolves when none runs. */
  stop(): Promise<void>;
  /** Hands running work back at once, and lets `stop` wait for nothing: for when the database cannot be written to. */
  abandon(): void;
  /** Aborts with a ShutdownError when the grace is over. */
  readonly handBack: AbortSignal;
}

/** Wraps graphile-worker with the settings under which no finished job stays locked. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const handBack = new AbortController();
  let runner: Runner | null = null;
  let stopping = false;
  let ended = false;
  const poolIds: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => poolIds.push(workerPool.id));
  const onUnexpectedEnd = (error: unknown): void => {
    if (stopping || ended) return;
    ended = true;
    handBack.abort(new ShutdownError("The job runner ended."));
    options.onUnexpectedEnd(error);
  };
  // A failed look is repeated, but not always whole: what the first one asks (the tasks' numbers) is kept for ever, its failure too.
  let failingSince: number | null = null;
  const onLook = (): void => void (failingSince = null);
  events.on("job:start", onLook);
  events.on("worker:getJob:empty", onLook);
  events.on("worker:getJob:error", ({ error }) => {
    failingSince ??= performance.now();
    if (performance.now() - failingSince > options.lookGraceMs) onUnexpectedEnd(error);
  });
  return {
    handBack: handBack.signal,
    poolIds: () => poolIds,
    abandon() {
      ended = true;
      handBack.abort(new ShutdownError("The worker has lost the database."));
    },
    isRunning: () => runner !== null && !stopping && !ended,
    async start(tasks) {
      const started = await run({
        pgPool: options.pool,
        taskList: tasks,
        concurrency: options.concurrency,
        pollInterval: pollIntervalMs,
        forbiddenFlags: options.forbiddenFlags,
        events,
        noHandleSignals: true,
        logger: toGraphileLogger(options.logger),
        preset: {
          worker: {
            // Without a batch (the default) nobody awaits the write that ends a job, and a stop leaves finished jobs locked for hours.
            // Batches are awaited at a stop; they need not wait for company.
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
            // Our own grace and hand-back come first; this is only the backstop behind them.
            gracefulShutdownAbortTimeout: options.graceMs + 10_000,
          },
        },
      });
      runner = started;
      started.promise.then(() => onUnexpectedEnd(new Error("The job runner ended unasked.")), onUnexpectedEnd);
      events.on("pool:fatalError", ({ error }) => onUnexpectedEnd(error));
    },
    async stop() {
      if (runner === null || stopping) return;
      stopping = true;
      // What has ended by itself cannot write any more; the rescuer takes over what it held.
      if (ended) return;
      const timer = setTimeout(() => {
        handBack.abort(new ShutdownError("The worker is shutting down."));
      }, options.graceMs);
      try {
        await runner.stop();
      } finally {
        clearTimeout(timer);
        await options.pool.end();
      }
    },
  };
}

function toGraphileLogger(logger: WorkerLogger): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { ...scope, detail: message, ...(meta?.["error"] === undefined ? {} : { error: meta["error"] }) };
    // Every job already has its own line; the queue's lines about them are for debugging.
    const isOfJob = message.startsWith("Failed task");
    if (level === "error" && !isOfJob) logger.error("job queue", fields);
    else if (level === "warning") logger.warn("job queue", fields);
    else logger.debug("job queue", fields);
  });
}
