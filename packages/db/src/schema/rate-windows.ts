import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Hits in a sliding window, one row per limit and principal, address or user: docs/reference/limits.md#limits-of-requests. */
export const rateWindows = pgTable(
  "rate_windows",
  {
    /** Name of the limit, a colon, and the principal, the address, or the hash of the user name. */
    key: text("key").primaryKey(),
    /** Times of the hits, oldest first, and never more than the limit. */
    hits: timestamp("hits", { withTimezone: true }).array().notNull(),
    /** Number of hits at each of the times in `hits`, if hits within a second share one entry. Null means one hit each. */
    counts: integer("counts").array(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [index("rate_windows_expires_at_index").on(table.expiresAt)],
);
