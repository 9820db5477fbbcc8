import type { VisibleReports } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { bindArray } from "../relations/relation.ts";
import { reports } from "../schema/reports.ts";

export function isVisibleReport({ reportTypes, requestedBy }: VisibleReports): SQL {
  const requested = requestedBy === null ? sql`` : sql`and ${reports.requestedBy} = ${requestedBy}`;
  return sql`${reports.reportType} = any (${bindArray(reportTypes)}::text[]) ${requested}`;
}
