import { deadAfterMs, retryDelaysMs } from "@reports/core/report";

/** Pause between two rounds of work. Each pause is up to `jitterMs` shorter or longer, so that workers do not act in step. */
export interface WorkPeriod {
  readonly everyMs: number;
  readonly jitterMs: number;
}

/**
 * Times in milliseconds for heartbeats, repeated work and waits of a worker. No setting changes them. Tests use faster clocks. Deadlines of
 * single operations are constants of their modules, because a slow machine needs them in tests too.
 */
export interface WorkerClocks {
  /** Times after which a worker counts as dead: docs/decisions/0008-rescue-and-turns.md. */
  readonly life: {
    readonly heartbeatMs: number;
    /** A worker exits if, for this long, Postgres has recorded none of its heartbeats or answered none of its polls for jobs. */
    readonly graceMs: number;
    /** A worker without a heartbeat for this long is dead. The leases of its attempts lapse at the same time. */
    readonly deadAfterMs: number;
    /** Period of the heartbeat of an attempt. A running attempt notices a cancel within this time. */
    readonly attemptHeartbeatMs: number;
  };
  readonly rescue: WorkPeriod & {
    /** Rescued reports run again after different delays up to this one, so that they do not all run next to the same poison pill. */
    readonly maxBackoffMs: number;
    /** A report that has been queued for this long without a job gets a new job. */
    readonly joblessAfterMs: number;
  };
  readonly drain: WorkPeriod & {
    /** How long a draining worker takes only quarantined reports. */
    readonly forMs: number;
    /** A worker with an attempt older than this does not drain, unless a quarantined report has waited for `longWaitMs`. */
    readonly longRunMs: number;
    readonly longWaitMs: number;
  };
  readonly schedules: WorkPeriod & {
    /** How often a worker compares all schedules with its report types, after the first time at its start. */
    readonly compareEveryMs: number;
  };
  readonly retention: WorkPeriod;
  readonly reconciliation: WorkPeriod;
  readonly suspiciousFiles: WorkPeriod;
  readonly fileVerification: WorkPeriod;
  /** Pauses before the next attempts of a report after failures that a retry can fix. The last one repeats. */
  readonly retryDelaysMs: readonly number[];
  /** Checks of the worker's own host: docs/decisions/0058-a-worker-with-a-broken-host-rests.md. */
  readonly host: WorkPeriod & {
    /** How often parts without a known failure are tested. */
    readonly proveEveryMs: number;
    /** The first rest. Each further rest is twice as long, until an attempt succeeds. */
    readonly firstRestMs: number;
    readonly longestRestMs: number;
  };
  readonly store: WorkPeriod;
  readonly reportTypes: WorkPeriod;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

export const productionClocks: WorkerClocks = checkClocks({
  life: {
    heartbeatMs: 4 * secondMs,
    graceMs: 15 * secondMs,
    deadAfterMs,
    // A lease would need fewer heartbeats. This period is short, because an attempt notices a cancel by its heartbeat.
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
  retryDelaysMs,
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

/** Returns production's clocks, `factor` times as fast. */
export function speedUpClocks(factor: number): WorkerClocks {
  return checkClocks(divideTimes(productionClocks, factor));
}

/** Returns the clocks. Throws if one of them contradicts another. */
export function checkClocks(clocks: WorkerClocks): WorkerClocks {
  const { life, host, rescue } = clocks;
  const rules: Readonly<Record<string, boolean>> = {
    "a worker has three heartbeats within its grace": 3 * life.heartbeatMs < life.graceMs,
    "an attempt has three heartbeats within the grace": 3 * life.attemptHeartbeatMs < life.graceMs,
    "a worker ends itself before others take over its reports": life.graceMs + life.heartbeatMs < life.deadAfterMs,
    "a report that is being queued is not taken for one without a job": rescue.joblessAfterMs > rescue.everyMs,
    "a lease of schedules is over before the next check": scheduleLeaseMs(clocks) > 0,
    "rests grow": host.firstRestMs <= host.longestRestMs,
  };
  const broken = Object.keys(rules).filter((rule) => !rules[rule]);
  if (broken.length > 0) throw new RangeError(`The clocks break these rules: ${broken.join("; ")}.`);
  return clocks;
}

/** Returns how long the lease of a check for due schedules lasts. If its worker dies, runs are delayed by one check. */
export function scheduleLeaseMs({ schedules }: Pick<WorkerClocks, "schedules">): number {
  return schedules.everyMs - 2 * schedules.jitterMs;
}

function divideTimes<Part>(part: Part, factor: number): Part {
  if (typeof part === "number") return (part / factor) as Part;
  if (Array.isArray(part)) return part.map((each: unknown) => divideTimes(each, factor)) as Part;
  return Object.fromEntries(
    Object.entries(part as object).map(([name, each]) => [name, divideTimes(each as unknown, factor)]),
  ) as Part;
}
