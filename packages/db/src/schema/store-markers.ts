import { sql } from "drizzle-orm";
import { boolean, check, pgTable, timestamp, uuid } from "drizzle-orm/pg-core";

/** The one file store of the records; at most one row. */
export const storeIds = pgTable(
  "store_markers",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** Also written in the store. */
    id: uuid("id").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    /** When it was written to the store; null while uncertain. */
    adoptedAt: timestamp("adopted_at", { withTimezone: true, precision: 3 }),
  },
  (table) => [check("store_markers_is_only_check", sql`${table.isOnly}`)],
);
