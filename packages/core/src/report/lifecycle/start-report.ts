import { hash } from "node:crypto";
import { RateLimitedError } from "../../caller/rate-limit.ts";
import { unlimitedStarts, type StartLimits } from "./start-limits.ts";
import type { IdMaker } from "../../base/file-store.ts";
import type { FilterValue, SearchParam } from "../../query/filters.ts";
import { isRelativeToNow } from "../../query/relative-time.ts";
import { createOnceClaim, type OnceClaim, type OnceKey } from "./idempotency.ts";
import type { ReportLane } from "../../base/vocabulary.ts";
import { withOldestNames } from "../types/former-names.ts";
import { selectHashedOptions } from "../types/options.ts";
import type { NewReport, QueuedReport, ReportStore } from "./report-store.ts";
import type { StartInput } from "../request/start-input.ts";

export interface StartContext {
  readonly principalId: string;
  /** Name of the principal, which the file shows. Starts are compared and rights are checked without it. */
  readonly principalName?: string | null;
  readonly coalesce: boolean;
  readonly traceparent: string | null;
  readonly requestId?: string | null;
  readonly requiredAuthority: string | null;
  /** Set if a caller runs a schedule by hand. The report belongs to the schedule's owner, but counts towards the caller's limits. */
  readonly scheduleRun?: {
    readonly id: string;
    readonly scheduleId: string;
    readonly owner: string;
    readonly ownerName?: string | null;
  };
  /** Where the caller gave the filters. Errors about the filters name this place. Default: `body`. */
  readonly readFrom?: "query" | "body";
  /** The caller's idempotency key. A start with a key is not coalesced. */
  readonly once?: OnceKey | undefined;
}

/** The ports and limits that startReport uses. */
export interface StartDeps {
  readonly reports: Pick<ReportStore, "createQueued" | "findStarted">;
  readonly newId: IdMaker;
  readonly startLimits: StartLimits;
  readonly refuseOverload: (lane: ReportLane) => Promise<void>;
  /** Rejects with DomainError, "bad-request" for a query and "invalid" for a body, if a filter has a value that its source does not have. */
  readonly refuseUnknownValues: (input: StartInput, readFrom: "query" | "body") => Promise<void>;
  readonly chooseLane?: (input: StartInput) => Promise<ReportLane>;
}

/** Turns off the limits, the overload check and the check of filter values of starts, for tests. */
export const unguardedStarts: Pick<StartDeps, "startLimits" | "refuseOverload" | "refuseUnknownValues"> = {
  startLimits: unlimitedStarts,
  refuseOverload: async () => undefined,
  refuseUnknownValues: async () => undefined,
};

export const maxFailuresPerReport = 3;

/**
 * Queues a report. Its record and job are committed when this resolves. The authority must have been checked before. Rejects with RateLimitedError,
 * StoreUnavailableError, and DomainError("invalid") if the idempotency key was used for another request.
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
    requestedBy: context.scheduleRun?.owner ?? principalId,
    requesterName: (context.scheduleRun === undefined ? context.principalName : context.scheduleRun.ownerName) ?? null,
    ...(context.scheduleRun === undefined
      ? {}
      : { scheduleId: context.scheduleRun.scheduleId, fireId: context.scheduleRun.id, countedFor: principalId }),
    maxFailures: maxFailuresPerReport,
    traceparent: context.traceparent,
    requestId: context.requestId ?? null,
    coalesceKey: context.coalesce && once === undefined ? coalesceKeyOf(principalId, input) : null,
    requiredAuthority: context.requiredAuthority,
    lane: (await deps.chooseLane?.(input)) ?? "quick",
  };
  const request = context.scheduleRun === undefined ? comparedRequestOf(input) : [context.scheduleRun.scheduleId];
  const claim = once === undefined ? undefined : createOnceClaim(principalId, once, request);
  try {
    // A manual run of a schedule accepts the same filter values as a scheduled run, whose values were checked when they were stored.
    if (context.scheduleRun === undefined) await deps.refuseUnknownValues(input, context.readFrom ?? "body");
  } catch (refusal) {
    // A repeated start returns its report even if a value of its filters has become unknown since then.
    const before = claim === undefined ? null : await deps.reports.findStarted(null, claim);
    if (before === null) throw refusal;
    return before;
  }
  return queueReport(deps, report, claim);
}

/** Queues a report. If its lane is overloaded, returns the earlier report of the same start, or rejects with RateLimitedError. */
export async function queueReport(
  deps: Omit<StartDeps, "chooseLane" | "refuseUnknownValues">,
  report: NewReport & Required<Pick<NewReport, "lane">>,
  claim: OnceClaim | undefined,
): Promise<QueuedReport> {
  try {
    await deps.refuseOverload(report.lane);
  } catch (refusal) {
    const before =
      refusal instanceof RateLimitedError ? await deps.reports.findStarted(report.coalesceKey, claim) : null;
    if (before === null) throw refusal;
    return before;
  }
  return deps.reports.createQueued(report, deps.startLimits, claim);
}

/** Returns the parts in which starts with the same idempotency key must agree. Renames and new defaults of the type do not change them. */
function comparedRequestOf({ definition, title, searchParamGiven, defaulted, options }: StartInput): unknown[] {
  const written = Object.entries(searchParamGiven).filter(([name]) => !defaulted.includes(name));
  const request = { searchParam: Object.fromEntries(written), options: selectHashedOptions(options) };
  const { searchParam, options: hashed } = withOldestNames(definition, request);
  return [definition.type, title, searchParam, hashed];
}

function coalesceKeyOf(principalId: string, input: StartInput): string {
  const { definition, title, searchParamGiven, options } = input;
  // The names in searchParam are sorted, and options have a fixed order, so equal inputs have equal JSON.
  const parts = [
    principalId,
    definition.type,
    definition.version,
    title,
    selectComparableFilters(input),
    selectHashedOptions(options),
    searchParamGiven,
  ];
  return hash("sha256", JSON.stringify(parts));
}

/**
 * Returns the filters by which equal starts are coalesced. Times are resolved, so that `today` differs between days. Instants based on `now` are
 * omitted, because they never repeat.
 */
function selectComparableFilters({ definition, searchParam, searchParamGiven }: StartInput): SearchParam {
  const days = new Set(definition.filters.flatMap(({ name, value }) => (value === "date" ? [name] : [])));
  const follows = (value: FilterValue): boolean => typeof value === "string" && isRelativeToNow(value);
  return Object.fromEntries(
    Object.entries(searchParam).filter(([name]) => days.has(name) || ![searchParamGiven[name]!].flat().some(follows)),
  );
}
