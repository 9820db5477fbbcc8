import { bigint, check, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { oneOf } from "./one-of.ts";

/** When each periodic work last began, on any worker. */
export const maintenanceTurns = pgTable("maintenance_turns", {
  name: text("name").primaryKey(),
  takenAt: timestamp("taken_at", { withTimezone: true, precision: 3 }).notNull(),
});

/** The progress of work over several rounds; null at its beginning. */
export const maintenancePositions = pgTable("maintenance_positions", {
  name: text("name").primaryKey(),
  position: text("position"),
});

const mismatchKinds = ["no-record", "no-object"] as const;

/** Unnamed stored files and missing named ones, since when they are known: only a second look acts. */
export const fileMismatches = pgTable(
  "file_mismatches",
  {
    storageKey: text("storage_key").primaryKey(),
    kind: text("kind", { enum: mismatchKinds }).notNull(),
    firstSeenAt: timestamp("first_seen_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    /** The last round that found it. */
    seenIn: bigint("seen_in", { mode: "number" }).notNull().default(0),
  },
  (table) => [check("file_mismatches_kind_check", oneOf(table.kind, mismatchKinds))],
);
