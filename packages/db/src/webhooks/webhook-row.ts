import type { Webhook, WebhookDelivery } from "@reports/core";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";

/** What callers may see of a webhook, which its secrets are no part of. */
export const webhookColumns = {
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
