import { scheduleFields, type ReportScheduleInput, type ReportStart, type ReportType } from "@reports/client";
import { createLabelLookup, readFieldValues } from "../parts/field-values.ts";
import { viewerZone } from "../parts/time-text.ts";
import { buildCron, rhythms, type CronChoices } from "./cron.ts";

/** The fields that the form shows with its own components, and the status, which a new schedule does not choose. */
export const nonDerivedFields = ["name", "reportType", "cron", "timezone", "missed", "overlap", "status"] as const;

/** Returns the label of a field that shows its own error, or undefined. */
export const scheduleFieldLabel = createLabelLookup(scheduleFields, ["reportType", "missed", "overlap", "status"]);

/** Reads the times of the schedule from the URL fragment. Default: every workday at 07:00. */
export function readCronChoices(query: URLSearchParams): CronChoices {
  return {
    rhythm: rhythms.find((one) => one === query.get("rhythm")) ?? "workday",
    time: query.get("time") ?? "07:00",
    weekday: query.get("weekday") ?? "1",
    day: query.get("day") ?? "1",
    cron: query.get("cron") ?? "0 7 * * 1-5",
  };
}

/** Reads the schedule from the URL fragment. Invalid values are sent, so that the gateway reports them at their field. */
export function readScheduleInput(query: URLSearchParams, start: ReportStart, type: ReportType): ReportScheduleInput {
  const { reportType, searchParam, ...options } = start;
  return {
    ...readFieldValues<ReportScheduleInput>(query, scheduleFields, nonDerivedFields),
    name: query.get("name") ?? start.title ?? type.title,
    reportType,
    searchParam: searchParam ?? {},
    options,
    cron: buildCron(readCronChoices(query)),
    timezone: query.get("zone") ?? viewerZone,
    missed: query.get("missed") === "SKIP" ? "SKIP" : "LATEST",
    overlap: query.get("overlap") === "ALLOW" ? "ALLOW" : "SKIP",
  };
}
