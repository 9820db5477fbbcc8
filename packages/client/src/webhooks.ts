import type { CallOptions } from "./call-options.ts";
import { listOf, type List } from "./list.ts";
import { call, remove } from "./transport/call.ts";
import type { Transport } from "./transport/send.ts";
import type {
  CreatedWebhook,
  DeliveryQuery,
  RotatedSecret,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
  WebhookQuery,
} from "./wire/webhook.ts";

/** Addresses that are told of events. docs/contract.md §9. */
export interface Webhooks {
  /** The answer holds the secret, which is told this once. */
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
  /** Gives it another secret, which is told this once; the one before signs beside it for a day. */
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
  const path = (...parts: readonly string[]) => ["webhooks", ...parts];
  const patch: Webhooks["patch"] = async (id, body, options) => call(transport, "PATCH", path(id), options, { body });
  return {
    patch,
    create: async (input, options) => call(transport, "POST", path(), options, { body: input }),
    get: async (id, options) => call(transport, "GET", path(id), options),
    list: (query, options) => listOf<Webhook>(transport, path(), query, options),
    pause: async (id, options) => patch(id, { status: "PAUSED" }, options),
    resume: async (id, options) => patch(id, { status: "ACTIVE" }, options),
    remove: async (id, options) => remove(transport, path(id), options),
    rotateSecret: async (id, options) => call(transport, "POST", path(id, "secrets"), options, { body: {} }),
    deliveries: (id, query, options) => listOf<WebhookDelivery>(transport, path(id, "deliveries"), query, options),
    delivery: async (id, deliveryId, options) => call(transport, "GET", path(id, "deliveries", deliveryId), options),
    redeliver: async (id, eventId, options) =>
      call(transport, "POST", path(id, "deliveries"), options, { body: { eventId } }),
    test: async (id, options) =>
      call(transport, "POST", path(id, "deliveries"), options, { body: { type: "webhook.test" } }),
  };
}
