import { z } from "zod";
import { defineRecord } from "../record/define-record.ts";
import { alike, id, integer, text, time, timezone } from "../record/field-kinds.ts";
import {
  computed,
  ignored,
  kept,
  nullable,
  optional,
  orNull,
  required,
  server,
  type InputOf,
  type RecordOf,
} from "../record/field.ts";
import { storedSearchParamSchema } from "../report/request/stored-search-param.ts";
import type { SearchParam } from "../query/filters.ts";
import { choiceField } from "./schedule-choices.ts";
import { scheduleFireSchema, type ScheduleFire } from "./fire-record.ts";
import {
  missedPolicies,
  overlapPolicies,
  schedulePauseReasons,
  scheduleStatuses,
  type SchedulePauseCause,
} from "./schedule-values.ts";

/** Filters as text or as an object. The report type checks them and puts them into their normal form. */
const filters = {
  given: z.union([z.record(z.string(), z.unknown()), z.string()], "must be an object of filters, or text").nullable(),
  answer: storedSearchParamSchema,
};
const optionValues = alike(z.record(z.string(), z.unknown(), "must be an object of options"));
const pattern = { given: z.string("must be a text").meta({ minLength: 1, maxLength: 120 }), answer: z.string() };
const typeName = { given: z.string("must be the name of a report type"), answer: z.string() };

type PauseReason = keyof typeof schedulePauseReasons;
/** The record holds a cause of the service. Responses add what it means, and REQUESTED for every other pause. */
const pause = {
  given: z.custom<SchedulePauseCause>().nullable(),
  answer: z
    .strictObject({
      code: z.enum(Object.keys(schedulePauseReasons) as [PauseReason, ...PauseReason[]]).meta({
        id: "SchedulePauseCause",
        description: "Why a schedule is paused. Later versions add more.",
      }),
      detail: z.string().meta({ description: "The cause and the remedy, for its owner." }),
    })
    .nullable(),
};

/** The fields of a schedule. docs/reference/resources/report-schedules.md#fields. */
const scheduleFields = {
  id: server(id(), { about: "Id of the schedule." }),
  name: required(text(120), { about: "Name that the owner chose.", aboutGiven: "Name for people." }),
  reportType: required(typeName, {
    about: "The type of its reports.",
    aboutGiven: "The type of its reports; it cannot be changed.",
  }),
  searchParam: optional(filters, {}, { aboutGiven: "Filters, in which times may be relative to each fire." }),
  options: optional(
    optionValues,
    {},
    {
      about: "Those options of its reports that were given; the others take their defaults each time.",
      aboutGiven:
        "Options of its reports, as POST /v1/reports takes them; timezone is that of the schedule by default.",
    },
  ),
  cron: required(pattern, { title: "Time", about: "Minute, hour, day of the month, month, day of the week." }),
  timezone: optional(timezone(), "UTC", { title: "Time zone", about: "IANA time zone on whose clocks it fires." }),
  startsAt: orNull(time(), { about: "Before this time it does not fire." }),
  endsAt: orNull(time(), { about: "After this time it does not fire." }),
  status: kept(alike(choiceField(scheduleStatuses)), "ACTIVE"),
  pausedBecause: ignored(pause, { about: "Null unless it is PAUSED." }),
  missed: optional(alike(choiceField(missedPolicies)), "LATEST"),
  missedWithinSeconds: optional(integer(0, 604_800), 3_600, {
    about: "How many seconds after its time a fire that was missed is still started.",
  }),
  overlap: optional(alike(choiceField(overlapPolicies)), "SKIP"),
  nextFireAt: ignored(nullable(time()), { about: "When it fires next." }),
  nextFires: computed(z.array(z.iso.datetime()), { about: "The next five times." }),
  lastFire: computed(scheduleFireSchema.nullable()),
  owner: server(alike(z.string()), { about: "The principal in whose name its reports are started." }),
  createdAt: server(time(), { about: "When it was made." }),
  updatedAt: ignored(time(), {
    about: "Time of the latest change by a caller, or of a pause or end by the service. Runs do not count.",
  }),
};

/** How schedules are written and shown. docs/reference/resources/report-schedules.md#fields. */
export const scheduleRecord = defineRecord(
  { id: "ReportSchedule", description: "A schedule that starts reports." },
  scheduleFields,
  { patchShowsDefaults: true },
);

/** A report schedule. Times are Postgres's. docs/reference/resources/report-schedules.md. */
export interface Schedule extends Omit<RecordOf<typeof scheduleFields>, "searchParam"> {
  /** Filters in their normal form. Relative times are resolved at each run. */
  readonly searchParam: SearchParam;
  readonly lastFire: ScheduleFire | null;
  /** The version of the report type that checked the schedule last. */
  readonly definitionVersion: number;
  /** The owner's name at the owner's last change, for the documents of the reports; null if it was unknown. */
  readonly ownerName: string | null;
  /** The authority that the owner needs; null if none is needed. */
  readonly requiredAuthority: string | null;
  /** Grows with every change by a caller. */
  readonly revision: number;
  /** Grows with every run. */
  readonly fires: number;
  readonly deletedAt: Date | null;
}

/** The fields that callers decide, but for the status. */
export type ScheduleSettings = Pick<Schedule, Exclude<keyof InputOf<typeof scheduleFields>, "status">>;

/** A schedule as callers see it. docs/reference/resources/report-schedules.md#fields. */
export const reportScheduleSchema = scheduleRecord.answer;

/** A schedule as callers see it: times are RFC 3339 in UTC. docs/reference/resources/report-schedules.md#fields. */
export type ReportSchedule = z.output<typeof reportScheduleSchema>;
