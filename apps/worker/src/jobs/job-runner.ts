import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { ShutdownError, type ReportLane } from "@reports/core/base";
import type { Logger as WorkerLogger } from "@reports/runtime";
import { Logger, run, type Runner, type RunnerOptions, type TaskList, type WorkerEvents } from "graphile-worker";
import type { LaneSlotGate } from "./lane-slot-gate.ts";
import { watchQueuePolls } from "./poll-watch.ts";

export interface JobRunnerOptions {
  /** Connections for all lanes: one per concurrent job, one listener per lane, and one more. `stop` closes this pool. */
  readonly pool: NonNullable<RunnerOptions["pgPool"]>;
  readonly lanes: readonly ReportLane[];
  readonly schemaOf: (lane: ReportLane) => string;
  readonly concurrency: number;
  readonly gate: Pick<LaneSlotGate, "enter" | "leave">;
  readonly logger: WorkerLogger;
  /** How long running jobs may continue after `stop` before they are requeued. */
  readonly graceMs: number;
  /** The runner ends if all polls of a lane fail for this long, or if Postgres leaves one poll unanswered for this long. */
  readonly pollGraceMs: number;
  /** Pause after an empty poll of the bulk or quarantine lane (default 250). Without it, each new job of any lane would cause a poll. */
  readonly emptyLanePauseMs?: number;
  /** Called if the runner ended unexpectedly. The process must end too, or its jobs stay locked. */
  readonly onUnexpectedEnd: (error: unknown) => void;
}

/** Polls find jobs that become due later. Postgres announces a job that is due immediately. */
const pollIntervalMs = 1_000;

/** How long the write that ends a job waits, so that one statement ends all jobs that finish meanwhile. */
const completedTogetherMs = 50;

export interface JobRunner {
  start(tasksOf: (lane: ReportLane) => TaskList): Promise<void>;
  /** Returns the IDs under which graphile-worker locks the jobs of this worker, one per lane that has started. */
  poolIds(): readonly string[];
  isRunning(): boolean;
  /** Takes no more jobs. Requeues jobs that still run after `graceMs`. Resolves when no job runs. */
  stop(): Promise<void>;
  /** Aborts running jobs and makes `stop` return without a write, because this worker has lost the database. */
  abandon(): void;
  /** Aborts with a ShutdownError when running reports must be requeued: `graceMs` after `stop`, or if the runner ends. */
  readonly requeueSignal: AbortSignal;
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const requeueing = new AbortController();
  const runners: Runner[] = [];
  let started = false;
  let stopping = false;
  let ended = false;
  const poolIds: string[] = [];
  const onUnexpectedEnd = (error: unknown): void => {
    if (stopping || ended) return;
    ended = true;
    requeueing.abort(new ShutdownError("The job runner ended."));
    options.onUnexpectedEnd(error);
  };

  const startLane = async (lane: ReportLane, taskList: TaskList): Promise<void> => {
    const over = new AbortController();
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => poolIds.push(workerPool.id));
    events.on("pool:fatalError", ({ error }) => onUnexpectedEnd(error));
    // A poll that waits for a slot would delay the end of its lane, so it is aborted. graphile-worker closes its pool right after this event.
    events.on("pool:gracefulShutdown", () => setImmediate(() => over.abort()));
    // graphile-worker emits exactly one of these events after each poll or job. Then the slot that the poll has acquired becomes free.
    for (const end of ["worker:getJob:empty", "worker:getJob:error", "job:complete"] as const) {
      events.on(end, () => options.gate.leave(lane));
    }
    const pause = createEmptyLanePause(lane, events, options.emptyLanePauseMs ?? 250);
    watchQueuePolls(events, { graceMs: options.pollGraceMs, onOver: onUnexpectedEnd });
    const runner = await run({
      pgPool: options.pool,
      schema: options.schemaOf(lane),
      taskList,
      // Otherwise graphile-worker reads the file `crontab` of the working directory.
      parsedCronItems: [],
      concurrency: lane === "suspect" ? 1 : options.concurrency,
      pollInterval: pollIntervalMs,
      // graphile-worker awaits this function before each poll. It is used to delay polls without a slot, and forbids no flag.
      forbiddenFlags: async () => {
        await pause(over.signal);
        await options.gate.enter(lane, over.signal);
        return [];
      },
      events,
      noHandleSignals: true,
      logger: toGraphileLogger(options.logger),
      preset: {
        worker: {
          // By default, graphile-worker does not await the writes that end jobs, so a stop could leave finished jobs locked for hours.
          // It awaits batches, which also end several jobs in one statement. If a crash loses a batch, its jobs run again and do
          // nothing, because their reports have ended.
          completeJobBatchDelay: completedTogetherMs,
          failJobBatchDelay: 0,
          // Limit of graphile-worker for a stop. It applies only if the requeueing after `graceMs` fails.
          gracefulShutdownAbortTimeout: options.graceMs + 10_000,
        },
      },
    });
    runners.push(runner);
    runner.promise.then(() => onUnexpectedEnd(new Error("The job runner ended unexpectedly.")), onUnexpectedEnd);
  };

  return {
    requeueSignal: requeueing.signal,
    poolIds: () => poolIds,
    abandon() {
      ended = true;
      requeueing.abort(new ShutdownError("The worker has lost the database."));
    },
    isRunning: () => started && !stopping && !ended,
    async start(tasksOf) {
      try {
        for (const lane of options.lanes) await startLane(lane, tasksOf(lane));
      } catch (error) {
        stopping = true;
        requeueing.abort(new ShutdownError("The job runner could not be started."));
        await Promise.allSettled(runners.map(async (runner) => runner.stop()));
        throw error;
      }
      started = true;
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      // A runner that ended unexpectedly can't write. Other workers rescue the reports of this worker.
      if (runners.length === 0 || ended) return;
      const timer = setTimeout(() => {
        requeueing.abort(new ShutdownError("The worker is shutting down."));
      }, options.graceMs);
      // The pool is closed last, so that a failed stop of one lane does not prevent the last writes of other lanes.
      const stops = await Promise.allSettled(runners.map(async (runner) => runner.stop()));
      clearTimeout(timer);
      await options.pool.end();
      const failed = stops.find((stop) => stop.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

/** Returns a function that waits until an empty lane may be polled again, or until the signal aborts. Polls of the lane quick never wait. */
function createEmptyLanePause(
  lane: ReportLane,
  events: WorkerEvents,
  pauseMs: number,
): (signal: AbortSignal) => Promise<void> | undefined {
  if (lane === "quick") return () => undefined;
  let pauseEnd = 0;
  events.on("worker:getJob:empty", () => (pauseEnd = performance.now() + pauseMs));
  return async (signal) => {
    for (let left = pauseEnd - performance.now(); left > 0 && !signal.aborted; left = pauseEnd - performance.now())
      await delay(left, undefined, { signal, ref: false }).catch(() => undefined);
  };
}

function toGraphileLogger(logger: WorkerLogger): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { ...scope, detail: message, ...(meta?.["error"] === undefined ? {} : { error: meta["error"] }) };
    // Each failed job writes its own log line, so the lines of graphile-worker about it are only for debugging.
    const isOfJob = message.startsWith("Failed task");
    if (level === "error" && !isOfJob) logger.error("the job queue reports an error", fields);
    else if (level === "warning") logger.warn("the job queue warns", fields);
    else logger.debug("the job queue says", fields);
  });
}
