import { sql } from "drizzle-orm";
import { reportScheduleFires as f, reportSchedules as s } from "../schema/report-schedules.ts";
import { column, type Relation } from "./relation.ts";

/** One row a living schedule. */
export const reportSchedulesRelation: Relation = {
  name: "report_schedules",
  from: sql`${s}`,
  living: sql`${s.deletedAt} is null`,
  id: sql`${s.id}`,
  columns: {
    reportType: column(s.reportType, "text"),
    status: column(s.status, "text"),
    owner: column(s.owner, "text"),
    name: column(s.name, "text"),
    createdAt: column(s.createdAt, "timestamptz"),
    nextFireAt: column(s.nextFireAt, "timestamptz", { nullable: true }),
  },
};

/** One row a fire. */
export const reportScheduleFiresRelation: Relation = {
  name: "report_schedule_fires",
  from: sql`${f}`,
  living: sql`true`,
  id: sql`${f.id}`,
  columns: {
    outcome: column(f.outcome, "text"),
    scheduledFor: column(f.scheduledFor, "timestamptz"),
  },
};
