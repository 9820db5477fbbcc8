import type { ReportStart } from "@reports/client";
import { buildHref } from "../shell/route.ts";
import { buildStartDraftQuery, isStartDraftParameter } from "../start/draft.ts";

/** Returns the link to the form for the report of a schedule. The parameter `for` keeps the other fields of the schedule for the way back. */
export function buildReportFormHref(start: ReportStart, query: URLSearchParams): string {
  const own = new URLSearchParams([...query].filter(([name]) => !isStartDraftParameter(name)));
  own.set("new", "");
  return buildHref("new", { ...buildStartDraftQuery(start), for: own.toString() });
}

export function buildScheduleFormHref(start: ReportStart, chosen: string): string {
  const query = new URLSearchParams(chosen);
  query.delete("new");
  for (const [name, value] of Object.entries(buildStartDraftQuery(start)))
    for (const one of [value].flat()) query.append(name, one);
  return `#/schedule?${query.toString()}`;
}
