import { workerDeadAfterMs, reportRetryDelaysMs } from "@reports/core/report";

/** Pause between two rounds of work. Each pause is up to `jitterMs` shorter or longer, so that several workers don't work at the same moments. */
export interface JitteredPeriod {
  readonly everyMs: number;
  readonly jitterMs: number;
}

/** Periods and waits of a worker, which no setting changes. Tests use faster ones, but keep the deadlines of single operations. */
export interface WorkerTimings {
  /** Times after which a worker counts as dead: docs/decisions/0008-rescue-and-turns.md. */
  readonly life: {
    readonly heartbeatMs: number;
    /** A worker exits if Postgres has recorded none of its heartbeats, or answered none of its polls for jobs, for this long. */
    readonly graceMs: number;
    /** A worker without a heartbeat for this long is dead. The leases of its attempts lapse at the same time. */
    readonly deadAfterMs: number;
    /** Period of the heartbeat of an attempt. The attempt notices a cancel by its heartbeat, so the period is shorter than a lease needs. */
    readonly attemptHeartbeatMs: number;
  };
  readonly rescue: JitteredPeriod & {
    /**
     * Each rescued report runs again after a random delay of at most this length. Without it, all of them would run at the same time as the poison
     * pill.
     */
    readonly maxBackoffMs: number;
    readonly joblessAfterMs: number;
  };
  readonly drain: JitteredPeriod & {
    readonly forMs: number;
    /** While an attempt has run for longer than this, its worker does not drain, unless a quarantined report has waited for `longWaitMs`. */
    readonly longRunMs: number;
    readonly longWaitMs: number;
  };
  readonly schedules: JitteredPeriod & {
    readonly compareEveryMs: number;
  };
  readonly retention: JitteredPeriod;
  readonly reconciliation: JitteredPeriod;
  readonly suspiciousFiles: JitteredPeriod;
  readonly fileVerification: JitteredPeriod;
  /** Delays before the next attempts of a report, after failures that a retry can fix. The last delay repeats. */
  readonly retryDelaysMs: readonly number[];
  /** Checks of the spool, the renderers and the store of this worker: docs/decisions/0058-a-worker-with-a-broken-host-rests.md. */
  readonly host: JitteredPeriod & {
    readonly proveEveryMs: number;
    /** Length of the first rest, in which a worker with a broken part takes no reports. Rests double until an attempt succeeds. */
    readonly firstRestMs: number;
    readonly longestRestMs: number;
  };
  readonly store: JitteredPeriod;
  readonly reportTypes: JitteredPeriod;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

export const productionTimings: WorkerTimings = validateTimings({
  life: {
    heartbeatMs: 4 * secondMs,
    graceMs: 15 * secondMs,
    deadAfterMs: workerDeadAfterMs,
    attemptHeartbeatMs: secondMs,
  },
  rescue: { everyMs: 8 * secondMs, jitterMs: 2 * secondMs, maxBackoffMs: 10 * secondMs, joblessAfterMs: 20 * secondMs },
  drain: {
    everyMs: 4 * secondMs,
    jitterMs: secondMs,
    forMs: 30 * secondMs,
    longRunMs: 15 * secondMs,
    longWaitMs: 20 * secondMs,
  },
  schedules: { everyMs: 5 * secondMs, jitterMs: secondMs / 2, compareEveryMs: 10 * minuteMs },
  retention: { everyMs: 20 * secondMs, jitterMs: 5 * secondMs },
  reconciliation: { everyMs: minuteMs, jitterMs: 10 * secondMs },
  suspiciousFiles: { everyMs: 10 * secondMs, jitterMs: 2 * secondMs },
  fileVerification: { everyMs: minuteMs, jitterMs: 10 * secondMs },
  retryDelaysMs: reportRetryDelaysMs,
  host: {
    everyMs: secondMs,
    jitterMs: secondMs / 10,
    proveEveryMs: 10 * secondMs,
    firstRestMs: secondMs,
    longestRestMs: minuteMs,
  },
  store: { everyMs: 2 * secondMs, jitterMs: secondMs / 2 },
  reportTypes: { everyMs: 10 * secondMs, jitterMs: 2 * secondMs },
});

export function createFasterTimings(factor: number): WorkerTimings {
  return validateTimings(divideTimes(productionTimings, factor));
}

export function validateTimings(clocks: WorkerTimings): WorkerTimings {
  const { life, host, rescue } = clocks;
  const rules: Readonly<Record<string, boolean>> = {
    "a worker has three heartbeats within its grace": 3 * life.heartbeatMs < life.graceMs,
    "an attempt has three heartbeats within the grace": 3 * life.attemptHeartbeatMs < life.graceMs,
    "a worker ends itself before others take over its reports": life.graceMs + life.heartbeatMs < life.deadAfterMs,
    "a report that is being queued is not taken for one without a job": rescue.joblessAfterMs > rescue.everyMs,
    "a lease of schedules is over before the next check": getScheduleLeaseMs(clocks) > 0,
    "rests grow": host.firstRestMs <= host.longestRestMs,
  };
  const broken = Object.keys(rules).filter((rule) => !rules[rule]);
  if (broken.length > 0) throw new RangeError(`The clocks break these rules: ${broken.join("; ")}.`);
  return clocks;
}

/** Returns how long one worker alone may check for due schedules. If it dies, runs are delayed by at most one check. */
export function getScheduleLeaseMs({ schedules }: Pick<WorkerTimings, "schedules">): number {
  return schedules.everyMs - 2 * schedules.jitterMs;
}

function divideTimes<Part>(part: Part, factor: number): Part {
  if (typeof part === "number") return (part / factor) as Part;
  if (Array.isArray(part)) return part.map((each: unknown) => divideTimes(each, factor)) as Part;
  return Object.fromEntries(
    Object.entries(part as object).map(([name, each]) => [name, divideTimes(each as unknown, factor)]),
  ) as Part;
}
