import { getTableColumns, sql } from "drizzle-orm";
import { reports } from "../schema/reports.ts";
import { column, type Relation } from "./relation.ts";
import { tableRelation } from "./table-relation.ts";

const ofTable = tableRelation(reports, getTableColumns(reports));

/** One row per undeleted report, without additional formats. */
export const reportsRelation: Relation = {
  ...ofTable,
  living: sql`${ofTable.living} and ${reports.fileOf} is null`,
  columns: { ...ofTable.columns, format: column(sql`${reports.options} ->> 'format'`, "text") },
};
