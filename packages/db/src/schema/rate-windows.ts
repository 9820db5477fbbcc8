import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Hits within a sliding window per limit and principal, address or hash: docs/reference/limits.md#limits-of-requests. Each key has its own row and lock. */
export const rateWindows = pgTable(
  "rate_windows",
  {
    /** Name of the limit, a colon, and the principal, the address, or the hash of the user name. */
    key: text("key").primaryKey(),
    /** Times of the hits, oldest first. There are at most as many as the limit. */
    hits: timestamp("hits", { withTimezone: true }).array().notNull(),
    /** Number of hits per entry if they are counted per second. Null means one each. */
    counts: integer("counts").array(),
    /** Time at which the last hit leaves the window, after which the row can be removed. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("rate_windows_expires_at_index").on(table.expiresAt)],
);
