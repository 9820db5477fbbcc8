import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { ShutdownError, type ReportLane } from "@reports/core/base";
import type { Logger as WorkerLogger } from "@reports/runtime";
import { Logger, run, type Runner, type RunnerOptions, type TaskList, type WorkerEvents } from "graphile-worker";
import type { LaneGate } from "./lane-gate.ts";
import { watchPolls } from "./poll-watch.ts";

/** How jobs are taken from the queue. */
export interface JobRunnerOptions {
  /** Shared by the lanes: of a connection for each job at once, one to listen on for each lane, and one more; closed by the runner's stop. */
  readonly pool: NonNullable<RunnerOptions["pgPool"]>;
  readonly lanes: readonly ReportLane[];
  /** The queue's schema of a lane. */
  readonly schemaOf: (lane: ReportLane) => string;
  /** Jobs at once, of all lanes together. */
  readonly concurrency: number;
  /** Asked for a slot before each poll. */
  readonly gate: Pick<LaneGate, "enter" | "leave">;
  readonly logger: WorkerLogger;
  /** How long running jobs may go on once the runner is told to stop. */
  readonly graceMs: number;
  /** When every poll of a lane has failed for this long, or one was not answered, the runner counts as ended. */
  readonly pollGraceMs: number;
  /**
   * How soon after it was found empty a lane of long or suspected reports is polled again, in ms. Default 250: the start of any report
   * is announced to all lanes.
   */
  readonly emptyRestMs?: number;
  /** Called when the runner ends without having been told to: the process must end, for its jobs would stay locked otherwise. */
  readonly onUnexpectedEnd: (error: unknown) => void;
}

/** Jobs are announced; this is for those that become due. */
const pollIntervalMs = 1_000;

/** How long the end of a job waits for others. */
const completedTogetherMs = 50;

/** Takes jobs from the queue and runs them. */
export interface JobRunner {
  start(tasksOf: (lane: ReportLane) => TaskList): Promise<void>;
  /** The ids under which jobs are locked, one a lane; known as soon as its first poll is. */
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

/** Wraps graphile-worker, once for each lane, with the settings under which no finished job stays locked. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const handBack = new AbortController();
  const runners: Runner[] = [];
  let started = false;
  let stopping = false;
  let ended = false;
  const poolIds: string[] = [];
  const onUnexpectedEnd = (error: unknown): void => {
    if (stopping || ended) return;
    ended = true;
    handBack.abort(new ShutdownError("The job runner ended."));
    options.onUnexpectedEnd(error);
  };

  const startLane = async (lane: ReportLane, taskList: TaskList): Promise<void> => {
    const over = new AbortController();
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => poolIds.push(workerPool.id));
    events.on("pool:fatalError", ({ error }) => onUnexpectedEnd(error));
    // Polls that wait for a slot would hold up the end of their pool. They find it closed a moment after this is told.
    events.on("pool:gracefulShutdown", () => setImmediate(() => over.abort()));
    // Each slot is given back by exactly one of these.
    for (const end of ["worker:getJob:empty", "worker:getJob:error", "job:complete"] as const) {
      events.on(end, () => options.gate.leave(lane));
    }
    const rest = restsOf(lane, events, options.emptyRestMs ?? 250);
    watchPolls(events, { graceMs: options.pollGraceMs, onOver: onUnexpectedEnd });
    const runner = await run({
      pgPool: options.pool,
      schema: options.schemaOf(lane),
      taskList,
      // Without this, graphile-worker reads the file `crontab` of the working directory.
      parsedCronItems: [],
      // A suspect runs alone.
      concurrency: lane === "suspect" ? 1 : options.concurrency,
      pollInterval: pollIntervalMs,
      // What graphile-worker waits for before each poll. No flag is forbidden: a poll that may not be made is not made.
      forbiddenFlags: async () => {
        await rest(over.signal);
        await options.gate.enter(lane, over.signal);
        return [];
      },
      events,
      noHandleSignals: true,
      logger: toGraphileLogger(options.logger),
      preset: {
        worker: {
          // Without a batch (the default) nobody awaits the write that ends a job, and a stop leaves finished jobs locked for hours.
          // Batches are awaited at a stop. A job whose report has ended is nothing that anybody waits for: some are ended in one
          // statement. What a crash leaves of them finds its report closed.
          completeJobBatchDelay: completedTogetherMs,
          failJobBatchDelay: 0,
          // Our own grace and hand-back come first; this is only the backstop behind them.
          gracefulShutdownAbortTimeout: options.graceMs + 10_000,
        },
      },
    });
    runners.push(runner);
    runner.promise.then(() => onUnexpectedEnd(new Error("The job runner ended unexpectedly.")), onUnexpectedEnd);
  };

  return {
    handBack: handBack.signal,
    poolIds: () => poolIds,
    abandon() {
      ended = true;
      handBack.abort(new ShutdownError("The worker has lost the database."));
    },
    isRunning: () => started && !stopping && !ended,
    async start(tasksOf) {
      try {
        for (const lane of options.lanes) await startLane(lane, tasksOf(lane));
      } catch (error) {
        stopping = true;
        handBack.abort(new ShutdownError("The job runner could not be started."));
        await Promise.allSettled(runners.map(async (runner) => runner.stop()));
        throw error;
      }
      started = true;
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      // What has ended by itself cannot write any more; the rescuer takes over what it held.
      if (runners.length === 0 || ended) return;
      const timer = setTimeout(() => {
        handBack.abort(new ShutdownError("The worker is shutting down."));
      }, options.graceMs);
      // Every lane has ended before the pool does: one that cannot stop in order leaves the others theirs to write with.
      const stops = await Promise.allSettled(runners.map(async (runner) => runner.stop()));
      clearTimeout(timer);
      await options.pool.end();
      const failed = stops.find((stop) => stop.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

/** Waits until a lane that was found empty may be polled again, or the signal aborts. Short reports wait for nothing. */
function restsOf(
  lane: ReportLane,
  events: WorkerEvents,
  restMs: number,
): (signal: AbortSignal) => Promise<void> | undefined {
  if (lane === "quick") return () => undefined;
  let restsUntil = 0;
  events.on("worker:getJob:empty", () => (restsUntil = performance.now() + restMs));
  return async (signal) => {
    for (let left = restsUntil - performance.now(); left > 0 && !signal.aborted; left = restsUntil - performance.now())
      await delay(left, undefined, { signal, ref: false }).catch(() => undefined);
  };
}

function toGraphileLogger(logger: WorkerLogger): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { ...scope, detail: message, ...(meta?.["error"] === undefined ? {} : { error: meta["error"] }) };
    // Every job already has its own line; the queue's lines about them are for debugging.
    const isOfJob = message.startsWith("Failed task");
    if (level === "error" && !isOfJob) logger.error("the job queue reports an error", fields);
    else if (level === "warning") logger.warn("the job queue warns", fields);
    else logger.debug("the job queue says", fields);
  });
}
