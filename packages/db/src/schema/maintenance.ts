import { bigint, check, pgTable, text } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { timestampColumn } from "./record-columns.ts";

export const maintenanceTurns = pgTable("maintenance_turns", {
  name: text("name").primaryKey(),
  takenAt: timestampColumn("taken_at").notNull(),
});

/** Positions at which periodic work of several rounds continues. The position is null if the next round starts at the beginning. */
export const maintenancePositions = pgTable("maintenance_positions", {
  name: text("name").primaryKey(),
  position: text("position"),
});

const mismatchKinds = ["no-record", "no-object"] as const;

/** Files without a record, and records without a file. The reconciler acts on a difference only if a later round finds it again. */
export const fileMismatches = pgTable(
  "file_mismatches",
  {
    storageKey: text("storage_key").primaryKey(),
    kind: text("kind", { enum: mismatchKinds }).notNull(),
    firstSeenAt: timestampColumn("first_seen_at").notNull().defaultNow(),
    seenIn: bigint("seen_in", { mode: "number" }).notNull().default(0),
  },
  (table) => [check("file_mismatches_kind_check", oneOfCheckSql(table.kind, mismatchKinds))],
);
