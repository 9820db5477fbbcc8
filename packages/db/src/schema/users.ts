import { sql } from "drizzle-orm";
import { check, pgTable, text } from "drizzle-orm/pg-core";
import { timestampColumn, textListColumn } from "./record-columns.ts";

export const users = pgTable(
  "users",
  {
    name: text("name").notNull().primaryKey(),
    passwordHash: text("password_hash").notNull(),
    authorities: textListColumn("authorities"),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    disabledAt: timestampColumn("disabled_at"),
  },
  // A colon would end the name in Basic credentials (RFC 7617).
  (table) => [check("users_name_check", sql`${table.name} ~ '^[^:[:cntrl:]]{1,255}$'`)],
);
