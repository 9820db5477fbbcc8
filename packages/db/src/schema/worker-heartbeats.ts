import type { ServedTypes } from "@reports/core/report";
import { bigint, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Running workers. Each renews its row every few seconds. Jobs locked by pools without a recent row are unlocked. */
export const workerHeartbeats = pgTable("worker_heartbeats", {
  workerId: text("worker_id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  version: text("version").notNull(),
  lanes: text("lanes").array().notNull(),
  /** Report types and their versions; null for workers of versions before this column. */
  servedTypes: jsonb("served_types").$type<ServedTypes>(),
  /** Fingerprints of the keys in WEBHOOK_KEY, the one that encrypts first; null for workers of versions before this column. */
  webhookKeys: text("webhook_keys").array(),
  /** The largest file that fits the worker's disk and SPOOL_MAX_BYTES; null for workers of versions before this column. */
  spoolBytes: bigint("spool_bytes", { mode: "number" }),
  /** graphile-worker's IDs of the worker's pools, which appear in the locks of jobs. */
  poolIds: text("pool_ids").array().notNull(),
  startedAt: timestamp("started_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  heartbeatAt: timestamp("beat_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** When the worker was asked to stop. Reports that it loses afterwards count as lost by a deployment, not by a crash. */
  stoppingAt: timestamp("stopping_at", { withTimezone: true, precision: 3 }),
});
