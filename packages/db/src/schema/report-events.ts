import { reportStatuses, type EventCause } from "@reports/core/base";
import { bigint, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { reports } from "./reports.ts";
import { cascadingKey, timestampColumn } from "./record-columns.ts";

/** Changes of reports' states: docs/reference/resources/report-events.md#events. The transaction of a change adds the row, which is never updated. */
export const reportEvents = pgTable(
  "report_events",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    reportId: uuid("report_id").notNull(),
    from: text("from_status", { enum: reportStatuses }),
    to: text("to_status", { enum: [...reportStatuses, "DELETED"] }).notNull(),
    attempt: integer("attempt").notNull(),
    at: timestampColumn("at").notNull().defaultNow(),
    /**
     * Why a worker requeued the report, or `FILE_DAMAGED` if its file expired for that reason. Null for all other events. Has no check constraint,
     * so that new causes need no migration.
     */
    because: text("because").$type<EventCause>(),
    /** A principal's ID, `worker:<id>` or `system`. Null in rows that old versions wrote. */
    actor: text("actor"),
  },
  (table) => [
    cascadingKey("report_events_report_id_fkey", table.reportId, reports.id),
    index("report_events_report_id_index").on(table.reportId, table.id),
    check("report_events_from_status_check", oneOfCheckSql(table.from, reportStatuses)),
    check("report_events_to_status_check", oneOfCheckSql(table.to, [...reportStatuses, "DELETED"])),
  ],
);
