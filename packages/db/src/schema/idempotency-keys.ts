import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { reports } from "./reports.ts";
import { cascadingKey, timestampColumn } from "./record-columns.ts";

/** Responses of starts: docs/reference/http.md#idempotency-keys. Only the transaction that adds a row sees it without a response. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    keyHash: text("key_hash").primaryKey(),
    fingerprint: text("fingerprint").notNull(),
    reportId: uuid("report_id"),
    /** The response as it was sent. It is text, because jsonb would reorder its fields. */
    answer: text("answer"),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
  },
  (table) => [
    cascadingKey("idempotency_keys_report_id_fkey", table.reportId, reports.id),
    index("idempotency_keys_report_id_index").on(table.reportId),
  ],
);
