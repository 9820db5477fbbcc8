import { sql } from "drizzle-orm";
import { boolean, check, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";

/** The one file store that the records speak of; at most one row. */
export const storeMarkers = pgTable(
  "store_markers",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** Stands in the store too. */
    id: uuid("id").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    /** When it was written to the store; null while that is not certain. */
    adoptedAt: timestamp("adopted_at", { withTimezone: true, precision: 3 }),
  },
  (table) => [check("store_markers_is_only_check", sql`${table.isOnly}`)],
);
