import { scheduleFields, type ReportScheduleInput, type ReportStart, type ReportType } from "@reports/client";
import { labelIn, valuesIn } from "../parts/field-values.ts";
import { viewerZone } from "../parts/time-text.ts";
import { cronOf, rhythms, type When } from "./cron.ts";

/** The fields of a schedule that its form shows by hand, and its status, which a new one does not choose. */
export const manualFields = ["name", "reportType", "cron", "timezone", "missed", "overlap", "status"] as const;

/** The labels of fields that show their messages. */
export const scheduleLabel = labelIn(scheduleFields, ["reportType", "missed", "overlap", "status"]);

/** When a fragment says that the schedule fires: every workday at seven unless it says otherwise. */
export function whenOf(query: URLSearchParams): When {
  return {
    rhythm: rhythms.find((one) => one === query.get("rhythm")) ?? "workday",
    time: query.get("time") ?? "07:00",
    weekday: query.get("weekday") ?? "1",
    day: query.get("day") ?? "1",
    cron: query.get("cron") ?? "0 7 * * 1-5",
  };
}

/** The schedule that a fragment describes. What is wrong in it is sent, and refused at its field. */
export function inputOf(query: URLSearchParams, start: ReportStart, type: ReportType): ReportScheduleInput {
  const { reportType, searchParam, ...options } = start;
  return {
    ...valuesIn<ReportScheduleInput>(query, scheduleFields, manualFields),
    name: query.get("name") ?? start.title ?? type.title,
    reportType,
    searchParam: searchParam ?? {},
    options,
    cron: cronOf(whenOf(query)),
    timezone: query.get("zone") ?? viewerZone,
    missed: query.get("missed") === "SKIP" ? "SKIP" : "LATEST",
    overlap: query.get("overlap") === "ALLOW" ? "ALLOW" : "SKIP",
  };
}
