import { recordGoneError, recordNotFoundError } from "../record/collection-records.ts";
import { DomainError, type InputIssue } from "../base/errors.ts";
import type { IdMaker } from "../base/file-store.ts";
import { locateFilterInBody, type FilterValueLookup } from "../report/request/filter-value-lookup.ts";
import type { ReportCatalogue } from "../report/types/catalogue.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import { findTimingIssues, planFirstRunOrThrow, toTimingKey, type ScheduleTimingRules } from "./find-timing-issues.ts";
import {
  invalidScheduleError,
  scheduleFieldIssue,
  readScheduleChange,
  readAddedFilterValues,
  readScheduleBody,
  type ScheduleChangeRequest,
  type ReadScheduleRules,
  type RequestedSchedule,
} from "./schedule-input.ts";
import type { ScheduleChange, ScheduleStore } from "./schedule-store.ts";
import type { Schedule } from "./schedule-record.ts";
import { maxSchedulesPerOwner } from "./schedule-values.ts";

export interface ScheduleActor {
  readonly principalId: string;
  readonly principalName?: string | null;
  readonly authorities: Pick<ReadonlySet<string>, "has">;
  precondition(stored: Schedule): void;
}

export interface ChangeScheduleDeps extends ScheduleTimingRules {
  readonly schedules: ScheduleStore;
  readonly catalogue: ReportCatalogue;
  readonly filterValues: Pick<FilterValueLookup, "findUnknown">;
}

export async function createSchedule(
  deps: ChangeScheduleDeps & { readonly newId: IdMaker; readonly now: () => Date },
  owner: Pick<ScheduleActor, "principalId" | "principalName"> & { readonly requiredAuthority: string | null },
  definition: ReportTypeDefinition,
  body: unknown,
): Promise<Schedule> {
  const now = deps.now();
  const { settings } = readScheduleBody(
    {
      definition,
      now,
      findStatusProblem: (status) =>
        status === "ACTIVE" ? null : "must be ACTIVE or left out: a schedule can be paused once it exists.",
      checkTimes: (readable) => findTimingIssues(deps, readable, now),
    },
    body,
  );
  const unknown = await deps.filterValues.findUnknown({ definition, ...settings }, locateFilterInBody);
  if (unknown.length > 0) throw invalidScheduleError(unknown);
  const schedule = {
    ...settings,
    id: deps.newId(),
    owner: owner.principalId,
    ownerName: owner.principalName ?? null,
    definitionVersion: definition.version,
    requiredAuthority: owner.requiredAuthority,
  };
  const created = await deps.schedules.create(
    schedule,
    (now) => planFirstRunOrThrow(deps, settings, now),
    maxSchedulesPerOwner,
  );
  if (created !== null) return created;
  const message = `The caller has reached the limit of ${maxSchedulesPerOwner} schedules. Delete one first.`;
  throw new DomainError("invalid", "too-many-schedules", message, { issues: [{ code: "too_many", message }] });
}

export async function changeSchedule(
  deps: ChangeScheduleDeps,
  actor: ScheduleActor,
  found: Schedule,
  { method, body }: ScheduleChangeRequest,
): Promise<Schedule> {
  const definition = deps.catalogue.find(found.reportType);
  // Unknown filter values are searched before the transaction, because the transaction must not wait for the report type's source.
  let unknown: readonly InputIssue[] = [];
  if (definition !== undefined && holdsAuthority(actor, found)) {
    const searchParam = readAddedFilterValues({ definition, now: found.updatedAt, stored: found }, { method, body });
    unknown = await deps.filterValues.findUnknown({ definition, searchParam }, locateFilterInBody);
  }
  const changed = await deps.schedules.change(found.id, (stored, now) => {
    actor.precondition(stored);
    const isOwner = stored.owner === actor.principalId;
    const ownerName = isOwner ? (actor.principalName ?? null) : stored.ownerName;
    const holds = holdsAuthority(actor, stored);
    if (method === "PATCH" && JSON.stringify(body) === '{"status":"PAUSED"}')
      return stored.status === "ACTIVE"
        ? { ...unchangedSettings(stored), status: "PAUSED", plan: null, confirms: isOwner && holds, ownerName }
        : null;
    if (definition === undefined) {
      const problem = "is no longer known; the schedule can only be paused or deleted.";
      throw invalidScheduleError([scheduleFieldIssue("reportType", "unknown_report_type", problem)]);
    }
    if (isOwner && !holds) throw authorityMissingError(stored);
    const requested = readScheduleChange(
      { definition, now, stored, ...checksOfChange(deps, stored, now) },
      { method, body },
    );
    if (unknown.length > 0) throw invalidScheduleError(unknown);
    const by = { definitionVersion: definition.version, confirms: isOwner, ownerName };
    return changeOf(deps, stored, requested, now, by);
  });
  if (changed === null) throw scheduleGoneError();
  return changed;
}

/** Reports whether the actor has the authority of the report type. Without it, errors must not reveal which filter values the data has. */
function holdsAuthority({ authorities }: ScheduleActor, { requiredAuthority }: Schedule): boolean {
  return requiredAuthority === null || authorities.has(requiredAuthority);
}

export function authorityMissingError({ requiredAuthority }: Pick<Schedule, "requiredAuthority">): DomainError {
  return new DomainError(
    "forbidden",
    "authority-missing",
    `The owner of the schedule lacks the required authority ${requiredAuthority}.`,
  );
}

export function ownerNotSeenError(
  { requiredAuthority }: Pick<Schedule, "requiredAuthority">,
  days: number,
): DomainError {
  return new DomainError(
    "forbidden",
    "authority-missing",
    `The owner of the schedule has not been seen with the required authority ${requiredAuthority} for ${days} days. Any request of the owner with it confirms it.`,
  );
}

export function scheduleGoneError(): DomainError {
  return recordGoneError("schedule");
}

export function scheduleNotFoundError(): DomainError {
  return recordNotFoundError("schedule");
}

/** Checks the times only if they change or the schedule is resumed, so that an old schedule whose times have passed can still be renamed. */
function checksOfChange(
  deps: ChangeScheduleDeps,
  stored: Schedule,
  now: Date,
): Pick<ReadScheduleRules, "findStatusProblem" | "checkTimes"> {
  return {
    findStatusProblem: (status) =>
      status === "ENDED" && stored.status !== "ENDED" ? "must be ACTIVE or PAUSED: a schedule ends by itself." : null,
    checkTimes: (readable) =>
      toTimingKey(readable) !== toTimingKey(stored) || isResumed(stored, readable.status ?? stored.status)
        ? findTimingIssues(deps, readable, now)
        : [],
  };
}

function isResumed(stored: Pick<Schedule, "status">, status: Schedule["status"]): boolean {
  return status === "ACTIVE" && stored.status !== "ACTIVE";
}

function changeOf(
  deps: ChangeScheduleDeps,
  stored: Schedule,
  { settings, status }: RequestedSchedule,
  now: Date,
  by: Pick<ScheduleChange, "definitionVersion" | "confirms" | "ownerName">,
): ScheduleChange {
  const isTimed = toTimingKey(settings) !== toTimingKey(stored);
  // An ended schedule resumes if its times change.
  const wanted = stored.status === "ENDED" && isTimed && status === "ENDED" ? "ACTIVE" : status;
  const plan = isTimed || isResumed(stored, status) ? planFirstRunOrThrow(deps, settings, now) : null;
  return { ...by, settings, status: wanted, plan };
}

function unchangedSettings(stored: Schedule): Pick<ScheduleChange, "settings" | "definitionVersion"> {
  return { settings: stored, definitionVersion: stored.definitionVersion };
}
