import { createHash } from "node:crypto";
import { RateLimitedError } from "../../caller/rate-limit.ts";
import { unlimitedStarts, type StartLimits } from "./start-limits.ts";
import type { IdMaker } from "../../base/file-store.ts";
import type { FilterValue, SearchParam } from "../../query/filters.ts";
import { followsTheClock } from "../../query/relative-time.ts";
import { claimOnce, type OnceClaim, type OnceKey } from "./idempotency.ts";
import type { ReportLane } from "../../base/vocabulary.ts";
import { writtenOptions } from "../types/options.ts";
import type { NewReport, QueuedReport, ReportStore } from "./report-store.ts";
import type { StartInput } from "../request/start-input.ts";

/** Who starts a report, and how. */
export interface StartContext {
  /** Namespaced id of the principal. */
  readonly principalId: string;
  /** What people call the principal, for the documents of the report; neither equality nor rights depend on it. */
  readonly principalName?: string | null;
  /** Whether an open report that was started alike is given back instead of a new one. */
  readonly coalesce: boolean;
  readonly traceparent: string | null;
  /** Of the request that starts the report. */
  readonly requestId?: string | null;
  /** The authority that let the principal start this type; asked for again when the report runs. Null where nothing is asked for. */
  readonly requiredAuthority: string | null;
  /** The schedule that is run by hand: its report is its owner's, and counts against the caller's limits. */
  readonly fire?: {
    readonly id: string;
    readonly scheduleId: string;
    readonly owner: string;
    readonly ownerName?: string | null;
  };
  /** The caller's idempotency key. It says what is the same, so that with one nothing is coalesced. */
  readonly once?: OnceKey | undefined;
}

/** What startReport uses. */
export interface StartDeps {
  readonly reports: Pick<ReportStore, "createQueued" | "findStarted">;
  readonly newId: IdMaker;
  readonly startLimits: StartLimits;
  /** Throws RateLimitedError while more waits in the lane than the workers can be expected to do. */
  readonly refuseOverload: (lane: ReportLane) => Promise<void>;
  /** Tells long reports from short ones. Left out: every report begins among the short ones. */
  readonly chooseLane?: (input: StartInput) => Promise<ReportLane>;
}

/** Refuses nobody and limits nothing: for tests of something else. */
export const unguardedStarts: Pick<StartDeps, "startLimits" | "refuseOverload"> = {
  startLimits: unlimitedStarts,
  refuseOverload: async () => undefined,
};

/** How many crashes or out-of-memory ends a report survives, that many not included. docs/reference/resources/reports.md#attempts-and-failures. */
export const maxFailures = 3;

/**
 * Queues a report: the record and its job are committed together when this resolves.
 * Authority over the type has been checked by the caller. Rejects with RateLimitedError and StoreUnavailableError,
 * and with DomainError("invalid") when the idempotency key was used for something else.
 */
export async function startReport(deps: StartDeps, context: StartContext, input: StartInput): Promise<QueuedReport> {
  const { definition, title, searchParam, searchParamGiven, options } = input;
  const { once, principalId } = context;
  const report = {
    id: deps.newId(),
    reportType: definition.type,
    definitionVersion: definition.version,
    title,
    searchParam,
    searchParamGiven,
    options,
    requestedBy: context.fire?.owner ?? principalId,
    requesterName: (context.fire === undefined ? context.principalName : context.fire.ownerName) ?? null,
    ...(context.fire === undefined
      ? {}
      : { scheduleId: context.fire.scheduleId, fireId: context.fire.id, countedFor: principalId }),
    maxFailures,
    traceparent: context.traceparent,
    requestId: context.requestId ?? null,
    coalesceKey: context.coalesce && once === undefined ? coalesceKeyOf(principalId, input) : null,
    requiredAuthority: context.requiredAuthority,
    lane: (await deps.chooseLane?.(input)) ?? "quick",
  };
  const asked =
    context.fire === undefined
      ? [definition.type, title, searchParamGiven, writtenOptions(options)]
      : [context.fire.scheduleId];
  return queueReport(deps, report, once === undefined ? undefined : claimOnce(principalId, once, asked));
}

/** Queues it unless too much waits in its lane, or it was started before. */
export async function queueReport(
  deps: Omit<StartDeps, "chooseLane">,
  report: NewReport & Required<Pick<NewReport, "lane">>,
  claim: OnceClaim | undefined,
): Promise<QueuedReport> {
  try {
    await deps.refuseOverload(report.lane);
  } catch (refusal) {
    // What was started before needs nothing more of the workers: looking for it costs one read by its key.
    const before =
      refusal instanceof RateLimitedError ? await deps.reports.findStarted(report.coalesceKey, claim) : null;
    if (before === null) throw refusal;
    return before;
  }
  return deps.reports.createQueued(report, deps.startLimits, claim);
}

function coalesceKeyOf(principalId: string, input: StartInput): string {
  const { definition, title, searchParamGiven, options } = input;
  // searchParam has its names sorted, and options are built in one order: equal inputs give equal text.
  const parts = [
    principalId,
    definition.type,
    definition.version,
    title,
    comparable(input),
    writtenOptions(options),
    searchParamGiven,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * What is compared beside what was written: the instants of relative times, so that nobody is given yesterday's `today`; but not of those that
 * begin with `now`, which are never the same twice.
 */
function comparable({ searchParam, searchParamGiven }: StartInput): SearchParam {
  const follows = (value: FilterValue): boolean => typeof value === "string" && followsTheClock(value);
  return Object.fromEntries(
    Object.entries(searchParam).filter(([name]) => ![searchParamGiven[name]!].flat().some(follows)),
  );
}
