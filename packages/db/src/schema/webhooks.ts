import {
  deliveryStatuses,
  webhookScopes,
  webhookStatuses,
  type DeliveredEventType,
  type DeliveryError,
  type PauseCause,
  type WebhookEventType,
} from "@reports/core/webhook";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOf } from "./one-of.ts";
import { reports } from "./reports.ts";
import { deleted, time, undeleted } from "./record-columns.ts";

/** Signs until a time (ISO 8601). */
export interface EarlierSecret {
  readonly secret: string;
  readonly endsAt: string;
}

/** Addresses that receive events; docs/reference/resources/webhooks.md. A deleted one stays as a tombstone. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: uuid("id").primaryKey(),
    owner: text("owner").notNull(),
    /** Authorities of the owner's credentials; used only if the owner cannot be looked up. */
    ownerAuthorities: text("owner_authorities").array().notNull(),
    /** When a request last showed these authorities; used only if the owner cannot be looked up. */
    confirmedAt: time("confirmed_at").notNull().defaultNow(),
    url: text("url").notNull(),
    events: text("events").array().$type<WebhookEventType[]>().notNull(),
    reportTypes: text("report_types").array(),
    of: text("of_whom", { enum: webhookScopes }).notNull(),
    status: text("status", { enum: webhookStatuses }).notNull().default("ACTIVE"),
    pausedBecause: text("paused_because").$type<PauseCause>(),
    /** Sealed under WEBHOOK_KEY. */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretEndsAt: time("previous_secret_ends_at"),
    /** Older secrets that still sign, the newest first. */
    earlierSecrets: jsonb("earlier_secrets")
      .$type<readonly EarlierSecret[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Since when no running worker has had the secret's key; null while one has. */
    unreadableSince: time("unreadable_since"),
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    createdAt: time("created_at").notNull().defaultNow(),
    updatedAt: time("updated_at").notNull().defaultNow(),
    deletedAt: time("deleted_at"),
    /** Unused since deliveries have their own holds. The previous version still writes both. */
    hold: uuid("hold"),
    heldUntil: time("held_until"),
    /** When a delivery was last taken. The webhook that has waited longest is next. */
    triedAt: time("tried_at"),
    /** Whether the next turn prefers a retry. It alternates, so that neither kind starves. */
    retryNext: boolean("retry_next").notNull().default(true),
    /** A pause after a failed attempt. */
    restsUntil: time("rests_until"),
    /** When its back-off was last reset. May be in the future, because resets are limited. */
    begunAt: time("begun_at"),
    failuresInARow: integer("failures_in_a_row").notNull().default(0),
    failingSince: time("failing_since"),
  },
  (table) => [
    index("webhooks_owner_index").on(table.owner, table.createdAt).where(undeleted(table)),
    index("webhooks_of_all_index")
      .on(table.id)
      .where(sql`${table.of} = 'ALL' and ${table.deletedAt} is null`),
    index("webhooks_deleted_at_index").on(table.deletedAt).where(deleted(table)),
    check("webhooks_of_whom_check", oneOf(table.of, webhookScopes)),
    check("webhooks_status_check", oneOf(table.status, webhookStatuses)),
    check("webhooks_paused_check", sql`(${table.status} = 'PAUSED') = (${table.pausedBecause} is not null)`),
  ],
);

/** One event for one webhook. A trigger adds rows in the transition's transaction. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid("id").primaryKey(),
    webhookId: uuid("webhook_id").notNull(),
    eventId: uuid("event_id").notNull(),
    type: text("type").$type<DeliveredEventType>().notNull(),
    reportId: uuid("report_id"),
    /** The event's data at that time. */
    data: jsonb("data").$type<Readonly<Record<string, unknown>>>().notNull(),
    status: text("status", { enum: deliveryStatuses }).notNull().default("PENDING"),
    tries: integer("tries").notNull().default(0),
    nextTryAt: time("next_try_at"),
    /** Attempts that the receiver postponed by `Retry-After`, not counted as scheduled. */
    postponed: integer("postponed").notNull().default(0),
    /** Fence of the sending worker, and when that worker counts as dead. */
    hold: uuid("hold"),
    heldUntil: time("held_until"),
    lastStatus: integer("last_status"),
    lastErrorCode: text("last_error_code").$type<DeliveryError>(),
    durationMs: integer("duration_ms"),
    createdAt: time("created_at").notNull().defaultNow(),
    endedAt: time("ended_at"),
  },
  (table) => [
    foreignKey({
      name: "webhook_deliveries_webhook_id_fkey",
      columns: [table.webhookId],
      foreignColumns: [webhooks.id],
    }).onDelete("cascade"),
    foreignKey({
      name: "webhook_deliveries_report_id_fkey",
      columns: [table.reportId],
      foreignColumns: [reports.id],
    }).onDelete("cascade"),
    unique("webhook_deliveries_event_key").on(table.webhookId, table.eventId),
    index("webhook_deliveries_due_index")
      .on(table.webhookId, table.nextTryAt)
      .where(sql`${table.status} = 'PENDING'`),
    // First attempts and retries are found separately.
    index("webhook_deliveries_turn_index")
      .on(table.webhookId, sql`least(${table.tries}, 1)`, table.nextTryAt)
      .where(sql`${table.status} = 'PENDING'`),
    // With the time, or Postgres may take another index of the webhook while it lacks statistics about holds, and read all its deliveries.
    index("webhook_deliveries_held_until_index")
      .on(table.webhookId, table.heldUntil)
      .where(sql`${table.hold} is not null`),
    // Counted by the metric of dropped events.
    index("webhook_deliveries_dropped_index")
      .on(table.endedAt)
      .where(sql`${table.lastErrorCode} = 'TOO_MANY'`),
    index("webhook_deliveries_created_at_index").on(table.webhookId, table.createdAt, table.id),
    index("webhook_deliveries_report_id_index").on(table.reportId),
    // Used to remove old ones.
    index("webhook_deliveries_age_index").on(table.createdAt),
    check("webhook_deliveries_status_check", oneOf(table.status, deliveryStatuses)),
    check("webhook_deliveries_pending_check", sql`(${table.status} = 'PENDING') = (${table.nextTryAt} is not null)`),
  ],
);
