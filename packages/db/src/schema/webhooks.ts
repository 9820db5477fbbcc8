import {
  deliveryStatuses,
  webhookScopes,
  webhookStatuses,
  type DeliveredEventType,
  type DeliveryFailureCode,
  type WebhookPauseCode,
  type WebhookEventType,
} from "@reports/core/webhook";
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { reports } from "./reports.ts";
import { isDeleted, timestampColumn, isUndeleted, cascadingKey } from "./record-columns.ts";

/** An older secret that signs until `endsAt` (ISO 8601), so that receivers can replace it. */
export interface EarlierWebhookSecret {
  readonly secret: string;
  readonly endsAt: string;
}

export const webhooks = pgTable(
  "webhooks",
  {
    id: uuid("id").primaryKey(),
    owner: text("owner").notNull(),
    ownerAuthorities: text("owner_authorities").array().notNull(),
    /** When a request last showed `ownerAuthorities`. Not used for local users. */
    confirmedAt: timestampColumn("confirmed_at").notNull().defaultNow(),
    url: text("url").notNull(),
    events: text("events").array().$type<WebhookEventType[]>().notNull(),
    reportTypes: text("report_types").array(),
    of: text("of_whom", { enum: webhookScopes }).notNull(),
    status: text("status", { enum: webhookStatuses }).notNull().default("ACTIVE"),
    pausedBecause: text("paused_because").$type<WebhookPauseCode>(),
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretEndsAt: timestampColumn("previous_secret_ends_at"),
    earlierSecrets: jsonb("earlier_secrets")
      .$type<readonly EarlierWebhookSecret[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Since when no running worker has had the key that decrypts `secret`. Null while a worker has it. */
    unreadableSince: timestampColumn("unreadable_since"),
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
    deletedAt: timestampColumn("deleted_at"),
    /** This version ignores `hold` and `heldUntil`, because each delivery has a hold of its own. The previous version still writes both. */
    hold: uuid("hold"),
    heldUntil: timestampColumn("held_until"),
    /** When a worker last took a delivery of this webhook. Workers next serve the webhook that has waited longest. */
    triedAt: timestampColumn("tried_at"),
    /** Whether the next delivery should be a retry. Retries and first attempts alternate, so that neither waits forever. */
    retryNext: boolean("retry_next").notNull().default(true),
    /** End of the pause after a failed attempt. Until then, nothing is sent to the webhook. */
    restsUntil: timestampColumn("rests_until"),
    /** When the last reset of the backoff takes effect. In the future if the reset before it took effect less than a minute earlier. */
    begunAt: timestampColumn("begun_at"),
    failuresInARow: integer("failures_in_a_row").notNull().default(0),
    failingSince: timestampColumn("failing_since"),
    /** When an event was last delivered. Written at most once per minute, so that concurrent deliveries don't wait for this row's lock. */
    lastDeliveredAt: timestampColumn("last_delivered_at"),
  },
  (table) => [
    index("webhooks_owner_index").on(table.owner, table.createdAt).where(isUndeleted(table)),
    index("webhooks_of_all_index")
      .on(table.id)
      .where(sql`${table.of} = 'ALL' and ${table.deletedAt} is null`),
    index("webhooks_deleted_at_index").on(table.deletedAt).where(isDeleted(table)),
    check("webhooks_of_whom_check", oneOfCheckSql(table.of, webhookScopes)),
    check("webhooks_status_check", oneOfCheckSql(table.status, webhookStatuses)),
    check("webhooks_paused_check", sql`(${table.status} = 'PAUSED') = (${table.pausedBecause} is not null)`),
  ],
);

/** Events to deliver: one row per event and webhook. A trigger adds the row in the transaction that causes the event. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid("id").primaryKey(),
    webhookId: uuid("webhook_id").notNull(),
    eventId: uuid("event_id").notNull(),
    type: text("type").$type<DeliveredEventType>().notNull(),
    reportId: uuid("report_id"),
    data: jsonb("data").$type<Readonly<Record<string, unknown>>>().notNull(),
    status: text("status", { enum: deliveryStatuses }).notNull().default("PENDING"),
    tries: integer("tries").notNull().default(0),
    nextTryAt: timestampColumn("next_try_at"),
    /** Number of attempts that the receiver postponed with `Retry-After`. They don't count towards the maximum of attempts. */
    postponed: integer("postponed").notNull().default(0),
    /** ID of the sending worker's hold on this delivery. After `heldUntil`, that worker counts as dead and another one may take the delivery. */
    hold: uuid("hold"),
    heldUntil: timestampColumn("held_until"),
    lastStatus: integer("last_status"),
    lastErrorCode: text("last_error_code").$type<DeliveryFailureCode>(),
    durationMs: integer("duration_ms"),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    endedAt: timestampColumn("ended_at"),
  },
  (table) => [
    cascadingKey("webhook_deliveries_webhook_id_fkey", table.webhookId, webhooks.id),
    cascadingKey("webhook_deliveries_report_id_fkey", table.reportId, reports.id),
    unique("webhook_deliveries_event_key").on(table.webhookId, table.eventId),
    index("webhook_deliveries_due_index")
      .on(table.webhookId, table.nextTryAt)
      .where(sql`${table.status} = 'PENDING'`),
    index("webhook_deliveries_turn_index")
      .on(table.webhookId, sql`least(${table.tries}, 1)`, table.nextTryAt)
      .where(sql`${table.status} = 'PENDING'`),
    // The index contains `heldUntil`. Without statistics about holds, Postgres might otherwise read all deliveries of the webhook by another index.
    index("webhook_deliveries_held_until_index")
      .on(table.webhookId, table.heldUntil)
      .where(sql`${table.hold} is not null`),
    index("webhook_deliveries_dropped_index")
      .on(table.endedAt)
      .where(sql`${table.lastErrorCode} = 'TOO_MANY'`),
    index("webhook_deliveries_created_at_index").on(table.webhookId, table.createdAt, table.id),
    index("webhook_deliveries_report_id_index").on(table.reportId),
    index("webhook_deliveries_age_index").on(table.createdAt),
    check("webhook_deliveries_status_check", oneOfCheckSql(table.status, deliveryStatuses)),
    check("webhook_deliveries_pending_check", sql`(${table.status} = 'PENDING') = (${table.nextTryAt} is not null)`),
  ],
);
