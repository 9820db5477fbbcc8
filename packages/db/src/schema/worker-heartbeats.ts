import type { ServedTypes } from "@reports/core/report";
import { bigint, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Running workers renew their rows every few seconds. Locks of pools without an active row are freed. */
export const workerHeartbeats = pgTable("worker_heartbeats", {
  workerId: text("worker_id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  version: text("version").notNull(),
  lanes: text("lanes").array().notNull(),
  /** Report types with versions; null for workers older than this column. */
  servedTypes: jsonb("served_types").$type<ServedTypes>(),
  /** Fingerprints of its WEBHOOK_KEY, the sealing key first; null for workers older than this column. */
  webhookKeys: text("webhook_keys").array(),
  /** The largest file within scratch disk and SPOOL_MAX_BYTES; null for workers older than this column. */
  spoolBytes: bigint("spool_bytes", { mode: "number" }),
  /** graphile-worker's IDs of the worker's pools, which lock jobs. */
  poolIds: text("pool_ids").array().notNull(),
  startedAt: timestamp("started_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  beatAt: timestamp("beat_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** Set on a stop: later losses count as those of a deployment, not of a crash. */
  stoppingAt: timestamp("stopping_at", { withTimezone: true, precision: 3 }),
});
