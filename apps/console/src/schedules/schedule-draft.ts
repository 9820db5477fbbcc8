import {
  scheduleFields,
  type ReportSchedule,
  type ReportScheduleInput,
  type ReportStart,
  type ReportType,
} from "@reports/client";
import { buildFieldQuery, createFieldLabelLookup, readFieldValues } from "../parts/field-values.ts";
import { browserTimeZone } from "../parts/time-text.ts";
import { buildStartDraftQuery } from "../start/draft.ts";
import { buildCron, parseCron, scheduleRhythms, type CronChoices } from "./cron.ts";

/** Fields that the form shows with its own components, and `status`, which the form does not set. */
export const nonGenericScheduleFields = [
  "name",
  "reportType",
  "cron",
  "timezone",
  "missed",
  "overlap",
  "status",
] as const;

export const findScheduleFieldLabel = createFieldLabelLookup(scheduleFields, [
  "reportType",
  "missed",
  "overlap",
  "status",
]);

export function readCronChoices(query: URLSearchParams): CronChoices {
  return {
    rhythm: scheduleRhythms.find((one) => one === query.get("rhythm")) ?? "workday",
    time: query.get("time") ?? "07:00",
    weekday: query.get("weekday") ?? "1",
    day: query.get("day") ?? "1",
    cron: query.get("cron") ?? "0 7 * * 1-5",
  };
}

export function readScheduleInput(query: URLSearchParams, start: ReportStart, type: ReportType): ReportScheduleInput {
  const { reportType, searchParam, ...options } = start;
  return {
    ...readFieldValues<ReportScheduleInput>(query, scheduleFields, nonGenericScheduleFields),
    name: query.get("name") ?? start.title ?? type.title,
    reportType,
    searchParam: searchParam ?? {},
    options,
    cron: buildCron(readCronChoices(query)),
    timezone: query.get("zone") ?? browserTimeZone,
    missed: query.get("missed") === "SKIP" ? "SKIP" : "LATEST",
    overlap: query.get("overlap") === "ALLOW" ? "ALLOW" : "SKIP",
  };
}

export function toScheduledStart({ reportType, searchParam, options }: ReportSchedule): ReportStart {
  return { ...options, reportType, searchParam };
}

export function buildScheduleQuery(schedule: ReportSchedule, changes: URLSearchParams): URLSearchParams {
  const { name, timezone, missed, overlap, cron } = schedule;
  const { cron: pattern, ...choices } = parseCron(cron);
  const stored = new URLSearchParams({
    ...buildFieldQuery(schedule, scheduleFields, nonGenericScheduleFields),
    ...choices,
    ...(choices.rhythm === "cron" && { cron: pattern }),
    name,
    zone: timezone,
    missed,
    overlap,
  });
  if (!changes.has("type"))
    for (const [key, value] of Object.entries(buildStartDraftQuery(toScheduledStart(schedule))))
      for (const one of [value].flat()) stored.append(key, one);
  return new URLSearchParams([...[...stored].filter(([key]) => !changes.has(key)), ...changes]);
}
