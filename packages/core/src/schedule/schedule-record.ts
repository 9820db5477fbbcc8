import { z } from "zod";
import { keysOf } from "../base/keys-of.ts";
import { defineRecord } from "../record/define-record.ts";
import { sameSchemaKind, id, integer, text, time, timezone } from "../record/field-kinds.ts";
import {
  computedField,
  ignoredField,
  keptField,
  nullable,
  optionalField,
  optionalNullableField,
  required,
  serverSetField,
  type InputOf,
  type RecordOf,
} from "../record/field.ts";
import { normalisedSearchParamSchema } from "../report/request/stored-search-param.ts";
import type { SearchParam } from "../query/filters.ts";
import { choiceField } from "./schedule-choice-schemas.ts";
import { scheduleFireSchema, type ScheduleRun } from "./run-record.ts";
import {
  missedRunPolicies,
  overlapPolicies,
  allSchedulePauseCauses,
  scheduleStatuses,
  scheduleMisfitCauses,
  type SchedulePauseCause,
} from "./schedule-values.ts";

const filtersKind = {
  given: z.union([z.record(z.string(), z.unknown()), z.string()], "must be an object of filters, or text").nullable(),
  answer: normalisedSearchParamSchema,
};
const optionsKind = sameSchemaKind(z.record(z.string(), z.unknown(), "must be an object of options"));
const cronKind = { given: z.string("must be a text").meta({ minLength: 1, maxLength: 120 }), answer: z.string() };
const typeNameKind = { given: z.string("must be the name of a report type"), answer: z.string() };

/** The record stores a cause only if the service paused the schedule. Responses add an explanation, and show REQUESTED for every other pause. */
const pauseKind = {
  given: z.custom<SchedulePauseCause>().nullable(),
  answer: z
    .strictObject({
      code: z.enum(keysOf(allSchedulePauseCauses)).meta({
        id: "SchedulePauseCause",
        description: "Why the schedule is paused. Later versions can add codes.",
      }),
      detail: z.string().meta({ description: "The cause and the remedy, for its owner." }),
    })
    .nullable(),
};

const unfitSchema = z
  .strictObject({
    code: z.enum(scheduleMisfitCauses).meta({ description: "The cause. Later versions can add codes." }),
    detail: z.string().meta({ description: "The problems of filters and options, for its owner." }),
  })
  .nullable();

const scheduleFields = {
  id: serverSetField(id(), { about: "ID of the schedule." }),
  name: required(text(120), { about: "Name that the owner chose.", aboutGiven: "Name of the schedule, for people." }),
  reportType: required(typeNameKind, {
    about: "Type of the reports.",
    aboutGiven: "Type of the reports. It cannot be changed.",
  }),
  searchParam: optionalField(
    filtersKind,
    {},
    { aboutGiven: "Filters of the reports. Relative times are resolved at each run." },
  ),
  options: optionalField(
    optionsKind,
    {},
    {
      about: "Options of the reports, as they were given. Other options have their defaults at each run.",
      aboutGiven:
        "Options of the reports, as in POST /v1/reports. The default of the option timezone is the timezone of the schedule.",
    },
  ),
  cron: required(cronKind, {
    title: "Time",
    about: "Cron pattern: minute, hour, day of the month, month, day of the week.",
  }),
  timezone: optionalField(timezone(), "UTC", { title: "Time zone", about: "IANA time zone of the cron pattern." }),
  startsAt: optionalNullableField(time(), {
    about: "The schedule does not run before this time; null if it runs from its creation on.",
    aboutGiven:
      "The schedule does not run before this time (RFC 3339 with an offset); null if it runs from its creation on.",
  }),
  endsAt: optionalNullableField(time(), {
    about: "The schedule does not run after this time; null if it runs without an end.",
    aboutGiven: "The schedule does not run after this time (RFC 3339 with an offset); null if it runs without an end.",
  }),
  status: keptField(sameSchemaKind(choiceField(scheduleStatuses)), "ACTIVE"),
  pausedBecause: ignoredField(pauseKind, { about: "Why the schedule is paused; null unless it is PAUSED." }),
  unfitBecause: computedField(unfitSchema, {
    about:
      "Why the report type does not accept the schedule; null if it does. A schedule that a new version of its type refuses is paused.",
  }),
  missed: optionalField(sameSchemaKind(choiceField(missedRunPolicies)), "LATEST"),
  missedWithinSeconds: optionalField(integer(0, 604_800), 3_600, {
    title: "Seconds a run may be late",
    about: "A missed time is run only if it is at most this many seconds old.",
    aboutGiven: "A missed time is run only if it is at most this many seconds old; from 0 to 604800.",
  }),
  overlap: optionalField(sameSchemaKind(choiceField(overlapPolicies)), "SKIP"),
  nextFireAt: ignoredField(nullable(time()), { about: "When the schedule runs next; null if it will not run." }),
  nextFires: computedField(z.array(z.iso.datetime()), { about: "The next five times at which the schedule runs." }),
  lastFire: computedField(scheduleFireSchema.nullable(), { about: "The latest run; null before the first." }),
  owner: serverSetField(sameSchemaKind(z.string()), { about: "The principal in whose name the reports are started." }),
  createdAt: serverSetField(time(), { about: "When the schedule was created." }),
  updatedAt: ignoredField(time(), {
    about: "Time of the latest change by a caller, or of a pause or end by the service. Runs do not count.",
  }),
};

export const scheduleRecord = defineRecord(
  { id: "ReportSchedule", description: "A schedule that starts reports." },
  scheduleFields,
  { patchShowsDefaults: true },
);

/** A report schedule. Its times come from Postgres's clock. docs/reference/resources/report-schedules.md. */
export interface Schedule extends Omit<RecordOf<typeof scheduleFields>, "searchParam"> {
  /** Normalised filters. Relative times are resolved at each run. */
  readonly searchParam: SearchParam;
  readonly lastFire: ScheduleRun | null;
  /** The version of the report type against which the schedule was last checked. */
  readonly definitionVersion: number;
  /** Name of the owner at the owner's last change, shown in the reports; null if unknown. */
  readonly ownerName: string | null;
  readonly requiredAuthority: string | null;
  /** Incremented when a caller changes the schedule, and when the service pauses or ends it. Other effects of runs do not change it. */
  readonly revision: number;
  readonly fires: number;
  readonly deletedAt: Date | null;
}

export type ScheduleSettings = Pick<Schedule, Exclude<keyof InputOf<typeof scheduleFields>, "status">>;

/** A schedule as callers see it. docs/reference/resources/report-schedules.md#fields. */
export const reportScheduleSchema = scheduleRecord.answer;

/** A schedule as callers see it: times are RFC 3339 in UTC. docs/reference/resources/report-schedules.md#fields. */
export type ReportSchedule = z.output<typeof reportScheduleSchema>;
