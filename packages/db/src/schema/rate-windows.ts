import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Hits within a sliding window, by limit and principal, address or hash; docs/reference/limits.md#limits-of-requests. One row is one lock: callers do not wait for each other. */
export const rateWindows = pgTable(
  "rate_windows",
  {
    /** The limit's name, a colon, and its principal, address or hash. */
    key: text("key").primaryKey(),
    /** Oldest first; at most the limit. */
    hits: timestamp("hits", { withTimezone: true }).array().notNull(),
    /** Hits per entry if counted per second; null: one. */
    counts: integer("counts").array(),
    /** When all have left the window, so that the row can go. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("rate_windows_expires_at_index").on(table.expiresAt)],
);
