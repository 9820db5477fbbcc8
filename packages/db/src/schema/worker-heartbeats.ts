import type { ServedTypeVersions } from "@reports/core/report";
import { bigint, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { timestampColumn } from "./record-columns.ts";

/** Running workers. Each one renews its row every few seconds. If a worker's row is too old, other workers unlock the jobs of its pools. */
export const workerHeartbeats = pgTable("worker_heartbeats", {
  workerId: text("worker_id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  version: text("version").notNull(),
  lanes: text("lanes").array().notNull(),
  /** Report types that the worker serves, with their versions. Null for workers of versions without this column. */
  servedTypes: jsonb("served_types").$type<ServedTypeVersions>(),
  /** Fingerprints of the keys in WEBHOOK_KEY; the first key encrypts. Null for workers of versions without this column. */
  webhookKeys: text("webhook_keys").array(),
  /** The largest file, in bytes, that fits the worker's disk and SPOOL_MAX_BYTES. Null for workers of versions without this column. */
  spoolBytes: bigint("spool_bytes", { mode: "number" }),
  poolIds: text("pool_ids").array().notNull(),
  startedAt: timestampColumn("started_at").notNull().defaultNow(),
  heartbeatAt: timestampColumn("beat_at").notNull().defaultNow(),
  /** When the worker was asked to stop. A report that it loses later was lost by a deployment, not by a crash. */
  stoppingAt: timestampColumn("stopping_at"),
});
