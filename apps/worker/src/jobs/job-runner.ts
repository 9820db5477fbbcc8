import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { ShutdownError, type ReportLane } from "@reports/core/base";
import type { Logger as WorkerLogger } from "@reports/runtime";
import { Logger, run, type Runner, type RunnerOptions, type TaskList, type WorkerEvents } from "graphile-worker";
import type { LaneGate } from "./lane-gate.ts";
import { watchPolls } from "./poll-watch.ts";

export interface JobRunnerOptions {
  /** Shared by the lanes and closed by `stop`. Connections: one per concurrent job, one listener per lane, and one more. */
  readonly pool: NonNullable<RunnerOptions["pgPool"]>;
  readonly lanes: readonly ReportLane[];
  readonly schemaOf: (lane: ReportLane) => string;
  /** Jobs at the same time, of all lanes together. */
  readonly concurrency: number;
  /** Asked for a slot before each poll. */
  readonly gate: Pick<LaneGate, "enter" | "leave">;
  readonly logger: WorkerLogger;
  /** How long running jobs may continue after `stop`. */
  readonly graceMs: number;
  /** The runner ends if all polls of a lane fail for this long, or one is not answered. */
  readonly pollGraceMs: number;
  /** Pause of an empty lane of long or quarantined reports, in ms. Default 250: every start is announced to all lanes. */
  readonly emptyLanePauseMs?: number;
  /** The runner ended by itself. The process must end too, or its jobs stay locked. */
  readonly onUnexpectedEnd: (error: unknown) => void;
}

/** Finds jobs that become due; new ones are announced. */
const pollIntervalMs = 1_000;

/** How long the end of a job waits for others. */
const completedTogetherMs = 50;

export interface JobRunner {
  start(tasksOf: (lane: ReportLane) => TaskList): Promise<void>;
  /** The ids that lock jobs, one per lane, known from the lane's first poll on. */
  poolIds(): readonly string[];
  isRunning(): boolean;
  /** Stops taking jobs and requeues those that still run after the grace. Resolves when none runs. */
  stop(): Promise<void>;
  /** Requeues running work and makes `stop` wait for nothing, because the database cannot be written to. */
  abandon(): void;
  /** Aborts with a ShutdownError at the end of the grace. */
  readonly requeueSignal: AbortSignal;
}

/** Wraps graphile-worker once per lane, with settings under which no finished job stays locked. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const requeueSignal = new AbortController();
  const runners: Runner[] = [];
  let started = false;
  let stopping = false;
  let ended = false;
  const poolIds: string[] = [];
  const onUnexpectedEnd = (error: unknown): void => {
    if (stopping || ended) return;
    ended = true;
    requeueSignal.abort(new ShutdownError("The job runner ended."));
    options.onUnexpectedEnd(error);
  };

  const startLane = async (lane: ReportLane, taskList: TaskList): Promise<void> => {
    const over = new AbortController();
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => poolIds.push(workerPool.id));
    events.on("pool:fatalError", ({ error }) => onUnexpectedEnd(error));
    // Polls that wait for a slot would delay the end of their pool. They find it closed right after this event.
    events.on("pool:gracefulShutdown", () => setImmediate(() => over.abort()));
    // Exactly one of these returns each slot.
    for (const end of ["worker:getJob:empty", "worker:getJob:error", "job:complete"] as const) {
      events.on(end, () => options.gate.leave(lane));
    }
    const pause = emptyLanePause(lane, events, options.emptyLanePauseMs ?? 250);
    watchPolls(events, { graceMs: options.pollGraceMs, onOver: onUnexpectedEnd });
    const runner = await run({
      pgPool: options.pool,
      schema: options.schemaOf(lane),
      taskList,
      // Otherwise graphile-worker reads the file `crontab` of the working directory.
      parsedCronItems: [],
      // A quarantined report runs alone.
      concurrency: lane === "suspect" ? 1 : options.concurrency,
      pollInterval: pollIntervalMs,
      // graphile-worker awaits this before each poll. It forbids no flag: a poll without a slot does not start.
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
          // Without a batch (the default) nobody awaits the write that ends a job, and a stop leaves finished jobs locked for hours.
          // A stop awaits batches. The delay ends several jobs in one statement. If a crash loses that, the job finds its report
          // closed.
          completeJobBatchDelay: completedTogetherMs,
          failJobBatchDelay: 0,
          // A backstop behind our own grace and requeueing.
          gracefulShutdownAbortTimeout: options.graceMs + 10_000,
        },
      },
    });
    runners.push(runner);
    runner.promise.then(() => onUnexpectedEnd(new Error("The job runner ended unexpectedly.")), onUnexpectedEnd);
  };

  return {
    requeueSignal: requeueSignal.signal,
    poolIds: () => poolIds,
    abandon() {
      ended = true;
      requeueSignal.abort(new ShutdownError("The worker has lost the database."));
    },
    isRunning: () => started && !stopping && !ended,
    async start(tasksOf) {
      try {
        for (const lane of options.lanes) await startLane(lane, tasksOf(lane));
      } catch (error) {
        stopping = true;
        requeueSignal.abort(new ShutdownError("The job runner could not be started."));
        await Promise.allSettled(runners.map(async (runner) => runner.stop()));
        throw error;
      }
      started = true;
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      // A runner that ended by itself cannot write any more; the rescuer takes its jobs.
      if (runners.length === 0 || ended) return;
      const timer = setTimeout(() => {
        requeueSignal.abort(new ShutdownError("The worker is shutting down."));
      }, options.graceMs);
      // The pool ends after every lane, so that a failed stop of one leaves the others able to write.
      const stops = await Promise.allSettled(runners.map(async (runner) => runner.stop()));
      clearTimeout(timer);
      await options.pool.end();
      const failed = stops.find((stop) => stop.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

/** Waits until an empty lane may be polled again, or the signal aborts. Short reports do not wait. */
function emptyLanePause(
  lane: ReportLane,
  events: WorkerEvents,
  pauseMs: number,
): (signal: AbortSignal) => Promise<void> | undefined {
  if (lane === "quick") return () => undefined;
  let pausedUntil = 0;
  events.on("worker:getJob:empty", () => (pausedUntil = performance.now() + pauseMs));
  return async (signal) => {
    for (
      let left = pausedUntil - performance.now();
      left > 0 && !signal.aborted;
      left = pausedUntil - performance.now()
    )
      await delay(left, undefined, { signal, ref: false }).catch(() => undefined);
  };
}

function toGraphileLogger(logger: WorkerLogger): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { ...scope, detail: message, ...(meta?.["error"] === undefined ? {} : { error: meta["error"] }) };
    // Every job logs its own line; the queue's lines about jobs are for debugging.
    const isOfJob = message.startsWith("Failed task");
    if (level === "error" && !isOfJob) logger.error("the job queue reports an error", fields);
    else if (level === "warning") logger.warn("the job queue warns", fields);
    else logger.debug("the job queue says", fields);
  });
}
