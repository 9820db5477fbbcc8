import { removalReasons } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { timestampColumn } from "./record-columns.ts";

/**
 * Files to remove. The transaction that deletes or expires a record adds its file, the reconciler adds orphaned files, and an attempt adds files
 * that it abandons. The entry stays until the file is gone from the store.
 */
export const fileRemovals = pgTable(
  "file_removals",
  {
    storageKey: text("storage_key").primaryKey(),
    reason: text("reason", { enum: removalReasons }).notNull(),
    /** There is no foreign key, because an entry can outlive its report. */
    reportId: uuid("report_id"),
    notedAt: timestampColumn("noted_at").notNull().defaultNow(),
    /**
     * The time keeps its microseconds. If it were rounded up to a millisecond, an entry that is due immediately would not be due for the next
     * statement.
     */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    index("file_removals_due_at_index").on(table.dueAt),
    check("file_removals_reason_check", oneOfCheckSql(table.reason, removalReasons)),
  ],
);

/** Kinds of rows in the log of the reconciler. The ID of a `begun` row is the number of its round. */
export const reconcilerActions = [
  "begun",
  "compared",
  "unknown",
  "refused",
  "scheduled",
  "kept",
  "removed",
  "expired",
  "undone",
] as const;

/** Actions of the reconciler, kept for 90 days. They are read by its guard against mass removals, by metrics and by operators. */
export const reconcilerLog = pgTable(
  "reconciler_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestampColumn("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    action: text("action", { enum: reconcilerActions }).notNull(),
    files: integer("files").notNull(),
  },
  (table) => [
    index("reconciler_log_at_index").on(table.at),
    check("reconciler_log_action_check", oneOfCheckSql(table.action, reconcilerActions)),
  ],
);
