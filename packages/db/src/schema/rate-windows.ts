import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** What was done within a sliding window, by limit and whom it is for; docs/reference/limits.md#limits-of-requests. One row is one lock: callers do not wait for each other. */
export const rateWindows = pgTable(
  "rate_windows",
  {
    /** Name of the limit, a colon, and the principal, address or hash that it is for. */
    key: text("key").primaryKey(),
    /** Oldest first; never more than the limit. */
    hits: timestamp("hits", { withTimezone: true }).array().notNull(),
    /** How many hits each of these stands for, where they are counted by the second; null: one. */
    counts: integer("counts").array(),
    /** When none of them counts any more, so that the row may go. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("rate_windows_expires_at_index").on(table.expiresAt)],
);
