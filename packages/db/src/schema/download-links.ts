import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { reports } from "./reports.ts";
import { cascadingKey, timestampColumn } from "./record-columns.ts";

/** Links that download a file without credentials: docs/reference/resources/download-links.md#links. The token itself is not stored. */
export const downloadLinks = pgTable(
  "download_links",
  {
    id: uuid("id").primaryKey(),
    tokenHash: text("token_hash").notNull().unique("download_links_token_hash_key"),
    reportId: uuid("report_id").notNull(),
    fileId: uuid("file_id").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: timestampColumn("created_at").notNull(),
    expiresAt: timestampColumn("expires_at").notNull(),
    revokedAt: timestampColumn("revoked_at"),
  },
  (table) => [
    cascadingKey("download_links_report_id_fkey", table.reportId, reports.id),
    // The setting LINK_MAX_SECONDS has the same maximum of 24 hours.
    check("download_links_lifetime_check", sql`${table.expiresAt} <= ${table.createdAt} + interval '24 hours'`),
    index("download_links_report_id_index").on(table.reportId),
    index("download_links_created_by_index").on(table.createdBy, table.expiresAt),
    index("download_links_expires_at_index").on(table.expiresAt),
  ],
);
