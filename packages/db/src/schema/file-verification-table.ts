import { bigint, foreignKey, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { reports } from "./reports.ts";

/** Reports whose stored file looked wrong to a download, since when; a worker judges them. */
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

/**
 * Files whose bytes were confirmed not to be the published ones. They are kept for inspection: nothing removes what stands here. Without a
 * reference to the report, because it outlives the record.
 */
export const damagedFiles = pgTable("damaged_files", {
  storageKey: text("storage_key").primaryKey(),
  reportId: uuid("report_id").notNull(),
  confirmedAt: timestamp("confirmed_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  sizeBytes: bigint("size_bytes", { mode: "number" }).notNull(),
  sha256: text("sha256").notNull(),
  /** What differs: size or digest. */
  property: text("property").notNull(),
  found: text("found").notNull(),
});
