import { bigint, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { reports } from "./reports.ts";
import { cascadingKey, timestampColumn } from "./record-columns.ts";

/** Reports whose file a download or the reconciler found damaged. A worker then verifies the file. */
export const fileSuspicions = pgTable(
  "file_suspicions",
  {
    reportId: uuid("report_id").primaryKey(),
    notedAt: timestampColumn("noted_at").notNull().defaultNow(),
  },
  (table) => [cascadingKey("file_suspicions_report_id_fkey", table.reportId, reports.id)],
);

/** Files that a worker found damaged, kept until an operator removes them. There is no foreign key, because they outlive their report. */
export const damagedFiles = pgTable("damaged_files", {
  storageKey: text("storage_key").primaryKey(),
  reportId: uuid("report_id").notNull(),
  confirmedAt: timestampColumn("confirmed_at").notNull().defaultNow(),
  sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
  sha256: text("sha256").notNull(),
  property: text("property").notNull(),
  found: text("found").notNull(),
});
