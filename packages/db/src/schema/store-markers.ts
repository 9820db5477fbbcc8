import { sql } from "drizzle-orm";
import { boolean, check, pgTable, uuid } from "drizzle-orm/pg-core";
import { timestampColumn } from "./record-columns.ts";

/** The ID of the file store that belongs to these records. The table has at most one row. */
export const storeIds = pgTable(
  "store_markers",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    id: uuid("id").notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    /** When the ID was written to the store. Null until it is certain that the write succeeded. */
    adoptedAt: timestampColumn("adopted_at"),
  },
  (table) => [check("store_markers_is_only_check", sql`${table.isOnly}`)],
);
