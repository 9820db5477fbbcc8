import { sql } from "drizzle-orm";
import { check, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const users = pgTable(
  "users",
  {
    name: text("name").notNull().primaryKey(),
    passwordHash: text("password_hash").notNull(),
    authorities: text("authorities")
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    disabledAt: timestamp("disabled_at", { withTimezone: true, precision: 3 }),
  },
  // A colon would end the name in Basic credentials (RFC 7617).
  (table) => [check("users_name_check", sql`${table.name} ~ '^[^:[:cntrl:]]{1,255}$'`)],
);
