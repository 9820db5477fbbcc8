import type { ServedTypes } from "@reports/core/report";
import { bigint, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** The workers that live, each renewing its row every few seconds; reliability: a lock of a pool that stands in no living row is freed. */
export const workerHeartbeats = pgTable("worker_heartbeats", {
  workerId: text("worker_id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  version: text("version").notNull(),
  lanes: text("lanes").array().notNull(),
  /** The report types that it can run now, each with its version; null of workers that are older than this column, and say nothing. */
  servedTypes: jsonb("served_types").$type<ServedTypes>(),
  /** Fingerprints of its WEBHOOK_KEY, the key that seals first; null for workers that are older than this column. */
  webhookKeys: text("webhook_keys").array(),
  /** The largest file that its scratch disk and SPOOL_MAX_BYTES allow; null of workers that are older than this column. */
  spoolBytes: bigint("spool_bytes", { mode: "number" }),
  /** graphile-worker's ids of the worker's pools, under which it locks jobs. */
  poolIds: text("pool_ids").array().notNull(),
  startedAt: timestamp("started_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  beatAt: timestamp("beat_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** Set once the worker was told to stop: what it then leaves behind was lost by a deploy, not by a crash. */
  stoppingAt: timestamp("stopping_at", { withTimezone: true, precision: 3 }),
});
