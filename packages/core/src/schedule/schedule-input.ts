import { z } from "zod";
import { readEach, readInput, type InputRules } from "../record/collection-input.ts";
import { integerField, textField, timestampField } from "../record/collection-fields.ts";
import type { DomainError, InputIssue } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json-object.ts";
import { invalidInput } from "../base/list-issues.ts";
import { timezoneField } from "../query/timezone-field.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import { readStartBody, startInputFromBody, type StartInput } from "../report/request/start-input.ts";
import { choiceField } from "./schedule-choices.ts";
import {
  missedPolicies,
  overlapPolicies,
  scheduleStatuses,
  type Schedule,
  type ScheduleSettings,
  type ScheduleStatus,
} from "./schedule-record.ts";

const searchParamField = z
  .union([z.record(z.string(), z.unknown()), z.string()], "must be an object of filters, or text")
  .nullable()
  .default({});

/** What callers write of a schedule, as far as its report type does not matter: that says what its filters and options are. */
export const scheduleInputSchema = z.strictObject({
  name: textField(120).meta({ description: "What people call it." }),
  reportType: z
    .string("must be the name of a report type")
    .meta({ description: "The type of its reports; it cannot be changed." }),
  searchParam: searchParamField.meta({ description: "Filters, in which times may be relative to each fire." }),
  options: z.record(z.string(), z.unknown(), "must be an object of options").default({}).meta({
    description: "Options of its reports, as POST /v1/reports takes them; timezone is that of the schedule by default.",
  }),
  cron: z
    .string("must be a text")
    .meta({ description: "Minute, hour, day of the month, month, day of the week.", minLength: 1, maxLength: 120 }),
  timezone: timezoneField("IANA time zone on whose clocks it fires.").default("UTC"),
  startsAt: timestampField().nullable().default(null),
  endsAt: timestampField().nullable().default(null),
  missed: choiceField(missedPolicies).default("LATEST"),
  missedWithinSeconds: integerField(0, 604_800).default(3_600),
  overlap: choiceField(overlapPolicies).default("SKIP"),
  status: choiceField(scheduleStatuses).optional(),
});

const { options, timezone, missed, missedWithinSeconds, overlap, status } = scheduleInputSchema.shape;
/** The same in a merge patch, where null takes what has a default back to it. */
export const schedulePatchSchema = scheduleInputSchema
  .extend({
    options: options.nullable(),
    timezone: timezone.nullable(),
    missed: missed.nullable(),
    missedWithinSeconds: missedWithinSeconds.nullable(),
    overlap: overlap.nullable(),
    status: status.nullable(),
  })
  .partial();

const fields = Object.keys(scheduleInputSchema.shape);
/** What a start takes, and a schedule has beside its options. */
const besideOptions = ["reportType", "searchParam"];
/** What is computed at each reading, or moves on by itself: it may stand in a body that was read before, and is passed over. */
const passedOver = ["pausedBecause", "nextFireAt", "nextFires", "lastFire", "updatedAt"];
const rules: InputRules<z.output<typeof scheduleInputSchema>> = {
  schema: scheduleInputSchema,
  fields,
  serverFields: ["id", "owner", "createdAt"],
  observedFields: [],
};

/** What a caller wants a schedule to be. */
export interface WantedSchedule {
  readonly settings: ScheduleSettings;
  readonly status: Schedule["status"] | undefined;
}

/** What can be read of a body, whatever else is wrong with it. */
export type ReadableSchedule = Partial<z.output<typeof scheduleInputSchema>>;

/** What a schedule is read by. */
export interface ReadScheduleRules {
  readonly definition: ReportTypeDefinition;
  /** At which relative times are checked. */
  readonly now: Date;
  /** The one that is changed. */
  readonly stored?: Schedule;
  /** What is wrong with its status, told together with the rest. */
  readonly judgeStatus: (status: ScheduleStatus) => readonly InputIssue[];
  /** What is wrong with its times, told together with the rest: it is asked only where there is some, because its answer takes long. */
  readonly judgeTimes: (readable: ReadableSchedule) => readonly InputIssue[];
}

/** Reads a whole schedule out of a body. Throws DomainError("invalid") with every problem; times that alone are wrong are left to planOf. */
export function readSchedule({ definition, now, stored, ...judges }: ReadScheduleRules, body: unknown): WantedSchedule {
  const own = isJsonObject(body) ? without(body, passedOver) : body;
  const result = readInput(rules, own, stored as JsonObject | undefined);
  const readable: ReadableSchedule = result.ok ? result.input : readEach(scheduleInputSchema, own);
  const { reportType = definition.type, searchParam, timezone = "UTC" } = readable;
  const options = withoutNulls(readable.options ?? {});
  const issues: InputIssue[] = result.ok ? [] : [...result.issues];
  if (stored !== undefined && reportType !== stored.reportType)
    issues.push(issueAt("reportType", "read_only", "cannot be changed; make another schedule."));
  for (const name of besideOptions.filter((each) => Object.hasOwn(options, each)))
    issues.push({
      ...issueAt(`options/${name}`, "unknown_field", "stands beside options."),
      message: `${name} stands beside options.`,
    });
  const what = { ...without(options, besideOptions), reportType, searchParam };
  const start = readStartBody(definition, { timezone, ...what }, now, timezone);
  if (!start.ok) issues.push(...start.issues.map(inOptions));
  if (readable.status !== undefined) issues.push(...judges.judgeStatus(readable.status));
  if (issues.length > 0) issues.push(...judges.judgeTimes(readable));
  if (!result.ok || !start.ok || issues.length > 0) throw invalidSchedule(issues);
  const { status, ...input } = result.input;
  return { settings: { ...input, options, searchParam: start.input.searchParamGiven }, status };
}

/** The same out of a merge patch (RFC 7396) of the stored one: filters and options are merged one by one. */
export function readSchedulePatch(
  by: ReadScheduleRules & { readonly stored: Schedule },
  patch: unknown,
): WantedSchedule {
  if (!isJsonObject(patch)) return readSchedule(by, patch);
  const current = settingsJson(by.stored);
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...patch })
      .filter(([name]) => patch[name] !== null)
      .map(([name, value]) => [name, mergeInto(current[name], value, Object.hasOwn(patch, name))]),
  );
  // A replacement leaves the status as it is; here its default is asked for.
  const whole = patch["status"] === null ? { ...merged, status: "ACTIVE" } : merged;
  return readSchedule(by, whole);
}

/** What a schedule starts at some time: relative times are meant then, in its zone. Throws DomainError("invalid") for what its type does not take. */
export function readScheduledStart(
  definition: ReportTypeDefinition,
  { reportType, searchParam, options, timezone }: Pick<Schedule, "reportType" | "searchParam" | "options" | "timezone">,
  at: Date,
): StartInput {
  return startInputFromBody(definition, { timezone, ...options, reportType, searchParam }, at, timezone);
}

/** A schedule that is not valid, with what is wrong with it. */
export function invalidSchedule(issues: readonly InputIssue[]): DomainError {
  return invalidInput("invalid", "invalid-record", "The schedule is not valid", issues);
}

/** What is wrong with one of its fields. `rest` follows the field's name. */
export function issueAt(field: string, code: string, rest: string): InputIssue {
  return { pointer: `/${field}`, code, message: `${field} ${rest}` };
}

/** A problem of a start, where it stands in a schedule. */
function inOptions(issue: InputIssue): InputIssue {
  const { pointer = "" } = issue;
  return pointer.startsWith("/searchParam") ? issue : { ...issue, pointer: `/options${pointer}` };
}

function settingsJson(stored: Schedule): JsonObject {
  const { name, reportType, searchParam, options, cron, timezone, missed, missedWithinSeconds, overlap } = stored;
  const [startsAt, endsAt] = [stored.startsAt, stored.endsAt].map((time) => time?.toISOString() ?? null);
  return {
    name,
    reportType,
    searchParam,
    options,
    cron,
    timezone,
    startsAt,
    endsAt,
    missed,
    missedWithinSeconds,
    overlap,
  };
}

function mergeInto(current: unknown, value: unknown, isPatch: boolean): unknown {
  return isPatch && isJsonObject(current) && isJsonObject(value) ? withoutNulls({ ...current, ...value }) : value;
}

function without(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function withoutNulls(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
