import { getTableColumns, sql } from "drizzle-orm";
import { reports } from "../schema/reports.ts";
import { column, type Relation } from "./relation.ts";
import { tableRelation } from "./table-relation.ts";

const ofTable = tableRelation(reports, getTableColumns(reports));

/** One row per report that is not deleted. Additional formats of a report have none. */
export const reportsRelation: Relation = {
  ...ofTable,
  living: sql`${ofTable.living} and ${reports.fileOf} is null`,
  columns: { ...ofTable.columns, format: column(sql`${reports.options} ->> 'format'`, "text") },
};
