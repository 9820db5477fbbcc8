import { foreignKey, index, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { reports } from "./reports.ts";

/** Responses of starts: docs/reference/http.md#idempotency-keys. Only the transaction that adds a row sees it without a response. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    keyHash: text("key_hash").primaryKey(),
    fingerprint: text("fingerprint").notNull(),
    reportId: uuid("report_id"),
    /** The response as it was sent. It is text, because jsonb would reorder its fields. */
    answer: text("answer"),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [
    foreignKey({
      name: "idempotency_keys_report_id_fkey",
      columns: [table.reportId],
      foreignColumns: [reports.id],
    }).onDelete("cascade"),
    index("idempotency_keys_report_id_index").on(table.reportId),
  ],
);
