import { bigint, foreignKey, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { reports } from "./reports.ts";

/** Reports whose file a download found damaged. A worker then verifies the file. */
export const fileSuspicions = pgTable(
  "file_suspicions",
  {
    reportId: uuid("report_id").primaryKey(),
    notedAt: timestamp("noted_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    foreignKey({
      name: "file_suspicions_report_id_fkey",
      columns: [table.reportId],
      foreignColumns: [reports.id],
    }).onDelete("cascade"),
  ],
);

/** Files that a worker found damaged, kept until an operator removes them. There is no foreign key, because they outlive their report. */
export const damagedFiles = pgTable("damaged_files", {
  storageKey: text("storage_key").primaryKey(),
  reportId: uuid("report_id").notNull(),
  confirmedAt: timestamp("confirmed_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
  sha256: text("sha256").notNull(),
  property: text("property").notNull(),
  found: text("found").notNull(),
});
