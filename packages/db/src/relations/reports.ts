import { sql } from "drizzle-orm";
import { reports as r } from "../schema/reports.ts";
import { column, type Relation } from "./relation.ts";

const nullable = { nullable: true } as const;

/** One row a living report; further files are none. */
export const reportsRelation: Relation = {
  name: "reports",
  from: sql`${r}`,
  living: sql`${r.deletedAt} is null and ${r.fileOf} is null`,
  id: sql`${r.id}`,
  columns: {
    id: column(r.id, "uuid"),
    reportType: column(r.reportType, "text"),
    title: column(r.title, "text"),
    status: column(r.status, "text"),
    format: column(sql`${r.options} ->> 'format'`, "text"),
    scheduleId: column(r.scheduleId, "uuid", nullable),
    requestedBy: column(r.requestedBy, "text"),
    createdAt: column(r.createdAt, "timestamptz"),
    startedAt: column(r.startedAt, "timestamptz", nullable),
    finishedAt: column(r.finishedAt, "timestamptz", nullable),
    updatedAt: column(r.updatedAt, "timestamptz"),
    expiresAt: column(r.expiresAt, "timestamptz", nullable),
    attempt: column(r.attempt, "integer"),
    rowCount: column(r.rowCount, "bigint", nullable),
  },
};
