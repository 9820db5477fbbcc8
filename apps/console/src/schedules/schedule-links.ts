import type { ReportStart } from "@reports/client";
import { buildHref } from "../shell/route.ts";
import { buildDraftQuery, isDraftParam } from "../start/draft.ts";

/** Returns the link to the form that sets up the report of a schedule. The parameter `for` holds the other fields of the schedule. */
export function buildReportFormHref(start: ReportStart, query: URLSearchParams): string {
  const own = new URLSearchParams([...query].filter(([name]) => !isDraftParam(name)));
  own.set("new", "");
  return buildHref("new", { ...buildDraftQuery(start), for: own.toString() });
}

/** Returns the link from that form back to the schedule. */
export function buildScheduleHref(start: ReportStart, chosen: string): string {
  const query = new URLSearchParams(chosen);
  query.delete("new");
  for (const [name, value] of Object.entries(buildDraftQuery(start)))
    for (const one of [value].flat()) query.append(name, one);
  return `#/schedule?${query.toString()}`;
}
