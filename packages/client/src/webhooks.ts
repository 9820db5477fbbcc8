import type { CallOptions } from "./call-options.ts";
import { pauseAndResume } from "./collection.ts";
import type { List } from "./list.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type {
  CreatedWebhook,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
} from "./wire/generated/webhook.ts";
import type { DeliveryQuery, WebhookQuery } from "./wire/generated/queries.ts";

/** Addresses that are told of events. docs/reference/resources/webhooks.md. */
export interface Webhooks {
  /** The response holds the secret, which is told this once. */
  create(input: WebhookInput, options?: CallOptions): Promise<CreatedWebhook>;
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /** The caller's own, for administrators everybody's; newest first unless the query says another order. */
  list(query?: WebhookQuery, options?: CallOptions): List<Webhook>;
  patch(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook>;
  /** What happens from now on waits. */
  pause(id: string, options?: CallOptions): Promise<Webhook>;
  /** What waits is sent; earlier failures are forgotten. */
  resume(id: string, options?: CallOptions): Promise<Webhook>;
  /** Nothing is sent any more. Succeeds, too, where it is deleted already. */
  remove(id: string, options?: CallOptions): Promise<void>;
  /** Replaces the secret, which only this response contains. Every earlier secret signs for a day after it was replaced. */
  rotateSecret(id: string, options?: CallOptions): Promise<RotatedSecret>;
  /** What was sent and what waits, newest first unless the query says another order. */
  deliveries(id: string, query?: DeliveryQuery, options?: CallOptions): List<WebhookDelivery>;
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Puts the delivery of an event back in line. */
  redeliver(id: string, eventId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Sends an event that only tries the webhook. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery>;
}

export function webhooksOf(transport: Transport): Webhooks {
  const at = resourcesAt(transport, "webhooks");
  const patch: Webhooks["patch"] = async (id, body, options) => at(id).patch(body, options);
  return {
    patch,
    ...pauseAndResume(patch),
    create: at().post,
    get: async (id, options) => at(id).get(options),
    list: at().list,
    remove: async (id, options) => at(id).remove(options),
    rotateSecret: async (id, options) => at(id, "secrets").post({}, options),
    deliveries: (id, query, options) => at(id, "deliveries").list(query, options),
    delivery: async (id, deliveryId, options) => at(id, "deliveries", deliveryId).get(options),
    redeliver: async (id, eventId, options) => at(id, "deliveries").post({ eventId }, options),
    test: async (id, options) => at(id, "deliveries").post({ type: "webhook.test" }, options),
  };
}
