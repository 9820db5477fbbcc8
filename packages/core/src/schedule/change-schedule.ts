import { recordGone, recordNotFound } from "../collection/collection-records.ts";
import { DomainError, type InputIssue } from "../errors.ts";
import type { IdMaker } from "../ports.ts";
import type { ReportCatalogue } from "../report/catalogue.ts";
import type { ReportTypeDefinition } from "../report/report-type.ts";
import { nextOf } from "./judge-due.ts";
import type { ScheduleCalendar } from "./schedule-calendar.ts";
import { invalidSchedule, issueAt, readSchedule, readSchedulePatch, type WantedSchedule } from "./schedule-input.ts";
import type { ScheduleChange, SchedulePlan, ScheduleStore } from "./schedule-store.ts";
import { checkedFires, maxSchedules, type Schedule, type ScheduleSettings } from "./schedule.ts";

/** Who makes or changes a schedule, and under which condition. That they may know of it has been checked. */
export interface ScheduleActor {
  readonly principalId: string;
  /** What people call the principal. */
  readonly principalName?: string | null;
  readonly authorities: Pick<ReadonlySet<string>, "has">;
  /** Throws when the caller's condition on the version does not hold. */
  precondition(stored: Schedule): void;
}

/** What changing schedules needs. */
export interface ChangeScheduleDeps {
  readonly schedules: ScheduleStore;
  readonly calendar: ScheduleCalendar;
  readonly catalogue: ReportCatalogue;
  /** Two fires of one schedule are at least so far apart; 0 allows any. */
  readonly minMinutes: number;
}

/** Makes a schedule of the caller's, who holds the type's authority. Rejects with DomainError("invalid") with every problem. */
export async function createSchedule(
  deps: ChangeScheduleDeps & { readonly newId: IdMaker; readonly now: () => Date },
  owner: Pick<ScheduleActor, "principalId" | "principalName"> & { readonly requiredAuthority: string | null },
  definition: ReportTypeDefinition,
  body: unknown,
): Promise<Schedule> {
  const { settings, status } = readSchedule(definition, body, deps.now());
  if (status !== undefined && status !== "ACTIVE")
    throw invalidSchedule([issueAt("status", "invalid_value", "is ACTIVE to begin with.")]);
  const schedule = {
    ...settings,
    id: deps.newId(),
    owner: owner.principalId,
    ownerName: owner.principalName ?? null,
    definitionVersion: definition.version,
    requiredAuthority: owner.requiredAuthority,
  };
  const created = await deps.schedules.create(schedule, (now) => planOf(deps, settings, now), maxSchedules);
  if (created !== null) return created;
  const message = `The caller has ${maxSchedules} schedules, as many as one may have. Delete one first.`;
  throw new DomainError("invalid", "too-many-schedules", message, { issues: [{ code: "too_many", message }] });
}

/**
 * Replaces (PUT) or patches a schedule. Rejects with DomainError: what the condition throws, invalid with every problem, forbidden where the
 * owner lacks the authority, and gone where it is deleted meanwhile.
 */
export async function changeSchedule(
  deps: ChangeScheduleDeps,
  actor: ScheduleActor,
  { id, reportType }: Pick<Schedule, "id" | "reportType">,
  { method, body }: { readonly method: "PUT" | "PATCH"; readonly body: unknown },
): Promise<Schedule> {
  const definition = deps.catalogue.find(reportType);
  const changed = await deps.schedules.change(id, (stored, now) => {
    actor.precondition(stored);
    const isOwner = stored.owner === actor.principalId;
    const ownerName = isOwner ? (actor.principalName ?? null) : stored.ownerName;
    const holds = stored.requiredAuthority === null || actor.authorities.has(stored.requiredAuthority);
    const pauses = method === "PATCH" && isPauseAlone(body);
    if (pauses)
      return stored.status === "ACTIVE"
        ? { ...same(stored), status: "PAUSED", plan: null, confirms: isOwner && holds, ownerName }
        : null;
    if (definition === undefined) {
      throw invalidSchedule([
        issueAt(
          "reportType",
          "unknown_report_type",
          "is not known any more; the schedule can only be paused and deleted.",
        ),
      ]);
    }
    if (isOwner && !holds) throw lacksAuthority(stored);
    const read = method === "PUT" ? readSchedule : readSchedulePatch;
    return changeOf(deps, stored, read(definition, body, now, stored), now, {
      definitionVersion: definition.version,
      confirms: isOwner,
      ownerName,
    });
  });
  if (changed === null) throw scheduleGone();
  return changed;
}

/** Deletes a schedule; its reports stay. Deleting it again changes nothing. */
export async function removeSchedule(
  { schedules }: Pick<ChangeScheduleDeps, "schedules">,
  actor: ScheduleActor,
  { id }: Pick<Schedule, "id">,
): Promise<void> {
  await schedules.remove(id, (stored) => actor.precondition(stored));
}

/** The error for a caller without the authority that the schedule's reports need. */
export function lacksAuthority({ requiredAuthority }: Pick<Schedule, "requiredAuthority">): DomainError {
  return new DomainError(
    "forbidden",
    "authority-missing",
    `The owner of the schedule lacks the required authority ${requiredAuthority}.`,
  );
}

/** The error for an owner whom nobody has seen with that authority for so long that it is not believed any more. */
export function ownerNotSeen({ requiredAuthority }: Pick<Schedule, "requiredAuthority">, days: number): DomainError {
  return new DomainError(
    "forbidden",
    "authority-missing",
    `The owner of the schedule has not been seen with the required authority ${requiredAuthority} for ${days} days. Any request of theirs with it confirms it.`,
  );
}

/** The error for a schedule that was deleted. */
export function scheduleGone(): DomainError {
  return recordGone("schedule");
}

/** The error for one that never was, or that the caller may not know of. */
export function scheduleNotFound(): DomainError {
  return recordNotFound("schedule");
}

function changeOf(
  deps: ChangeScheduleDeps,
  stored: Schedule,
  { settings, status = stored.status }: WantedSchedule,
  now: Date,
  by: Pick<ScheduleChange, "definitionVersion" | "confirms" | "ownerName">,
): ScheduleChange {
  const isTimed = timingOf(settings) !== timingOf(stored);
  const resumes = status === "ACTIVE" && stored.status !== "ACTIVE";
  if (status === "ENDED" && stored.status !== "ENDED")
    throw invalidSchedule([issueAt("status", "invalid_value", "must be ACTIVE or PAUSED: a schedule ends by itself.")]);
  // One that has ended goes on where its times are others now.
  const wanted = stored.status === "ENDED" && isTimed && status === "ENDED" ? "ACTIVE" : status;
  const plan = isTimed || resumes ? planOf(deps, settings, now) : null;
  return { ...by, settings, status: wanted, plan };
}

/** When it fires first, once everything that is wrong with its times has been told. */
function planOf(
  { calendar, minMinutes }: Pick<ChangeScheduleDeps, "calendar" | "minMinutes">,
  settings: ScheduleSettings,
  now: Date,
): SchedulePlan {
  const problem = calendar.problemOf(settings.cron);
  if (problem !== null) throw invalidSchedule([issueAt("cron", "invalid_value", problem)]);
  const issues: InputIssue[] = [];
  const next = nextOf(calendar, settings, now);
  if (next === null) {
    issues.push(neverFires(calendar, settings, now));
  }
  if (minMinutes > 0 && next !== null && smallestGapMs(calendar, settings, next) < minMinutes * 60_000)
    issues.push(issueAt("cron", "too_often", `must leave at least ${minMinutes} minutes between two times.`));
  if (issues.length > 0) throw invalidSchedule(issues);
  return { nextFireAt: next, tzVersion: calendar.tzVersion };
}

/** Which of its fields keeps it from ever firing. */
function neverFires(calendar: ScheduleCalendar, settings: ScheduleSettings, now: Date): InputIssue {
  const fires = (other: Partial<ScheduleSettings>): boolean =>
    nextOf(calendar, { ...settings, ...other }, now) !== null;
  if (fires({ endsAt: null }))
    return issueAt("endsAt", "never_fires", "is before the first time at which the schedule would fire.");
  return fires({ endsAt: null, startsAt: null })
    ? issueAt("startsAt", "never_fires", "is after the last time at which the schedule would fire.")
    : issueAt("cron", "never_fires", "names no time that ever comes.");
}

function smallestGapMs(calendar: ScheduleCalendar, settings: ScheduleSettings, first: Date): number {
  let [last, smallest, count] = [first.getTime(), Infinity, 1];
  for (const instant of calendar.firesAfter(settings, first)) {
    smallest = Math.min(smallest, instant.getTime() - last);
    last = instant.getTime();
    if (++count >= checkedFires) break;
  }
  return smallest;
}

function timingOf({ cron, timezone, startsAt, endsAt }: ScheduleSettings): string {
  return JSON.stringify([cron, timezone, startsAt, endsAt]);
}

function isPauseAlone(body: unknown): boolean {
  return JSON.stringify(body) === '{"status":"PAUSED"}';
}

function same(stored: Schedule): Pick<ScheduleChange, "settings" | "definitionVersion"> {
  return { settings: stored, definitionVersion: stored.definitionVersion };
}
