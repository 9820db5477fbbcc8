import { webhookFilters, type Webhook, type WebhookChange, type WebhookDelivery } from "@reports/core/webhook";
import type { OwnedMapping } from "../collections/owned-store.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
// What callers may see. The secrets of a webhook are no part of it.
const columns = {
  id: webhooks.id,
  owner: webhooks.owner,
  url: webhooks.url,
  events: webhooks.events,
  reportTypes: webhooks.reportTypes,
  of: webhooks.of,
  status: webhooks.status,
  pausedBecause: webhooks.pausedBecause,
  createdAt: webhooks.createdAt,
  updatedAt: webhooks.updatedAt,
  revision: webhooks.revision,
  deletedAt: webhooks.deletedAt,
} satisfies Record<keyof Webhook, unknown>;

/** Fields that a change may write. */
const written = {
  url: true,
  events: true,
  reportTypes: true,
  of: true,
  status: true,
  pausedBecause: true,
} satisfies Readonly<Record<Exclude<keyof WebhookChange, "ownerAuthorities">, true>>;

const others = [
  "ownerAuthorities",
  "confirmedAt",
  "secret",
  "previousSecret",
  "previousSecretEndsAt",
  "earlierSecrets",
  "restsUntil",
  "begunAt",
  "failuresInARow",
  "failingSince",
] as const;

/** How webhooks are stored. */
export const webhookMapping: OwnedMapping<
  typeof webhooks,
  Webhook,
  Webhook,
  keyof typeof written,
  (typeof others)[number]
> = {
  table: webhooks,
  columns,
  written: Object.keys(written) as (keyof typeof written)[],
  others,
  filters: webhookFilters,
  attach: (_, rows) => rows,
};

/** What callers may see of a delivery. */
export const deliveryColumns = {
  id: webhookDeliveries.id,
  webhookId: webhookDeliveries.webhookId,
  eventId: webhookDeliveries.eventId,
  type: webhookDeliveries.type,
  reportId: webhookDeliveries.reportId,
  status: webhookDeliveries.status,
  tries: webhookDeliveries.tries,
  nextTryAt: webhookDeliveries.nextTryAt,
  lastStatus: webhookDeliveries.lastStatus,
  lastErrorCode: webhookDeliveries.lastErrorCode,
  durationMs: webhookDeliveries.durationMs,
  createdAt: webhookDeliveries.createdAt,
  endedAt: webhookDeliveries.endedAt,
} satisfies Record<keyof WebhookDelivery, unknown>;
