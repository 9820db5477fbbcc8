import type { CallOptions, WriteOptions } from "./call-options.ts";
import { createPauseAndResumeMethods, readStored, type Stored } from "./collection.ts";
import type { List } from "./list.ts";
import { createResourceClientFactory } from "./resource-client.ts";
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

/** Reads and writes webhooks, addresses that are notified of events. docs/reference/resources/webhooks.md. */
export interface Webhooks {
  /** Creates a webhook. Only this response contains its secret. */
  create(input: WebhookInput, options?: CallOptions): Promise<CreatedWebhook>;
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /** Returns a webhook and its entity tag, for `ifMatch` of a later `patch`. */
  getWithEtag(id: string, options?: CallOptions): Promise<Stored<Webhook>>;
  /** Lists the caller's webhooks, or all webhooks for administrators. Newest first unless the query has a `sort`. */
  list(query?: WebhookQuery, options?: CallOptions): List<Webhook>;
  /** Changes fields of a webhook. Null resets a field to its default. */
  patch(id: string, patch: WebhookPatch, options?: WriteOptions): Promise<Webhook>;
  /** Pauses a webhook. New events wait until it is resumed. */
  pause(id: string, options?: CallOptions): Promise<Webhook>;
  /** Resumes a webhook. Sends its waiting events and resets its earlier failures. */
  resume(id: string, options?: CallOptions): Promise<Webhook>;
  /** Deletes a webhook, which then receives nothing more. Succeeds if it is already deleted. */
  remove(id: string, options?: CallOptions): Promise<void>;
  /** Replaces the secret. Only this response contains the new secret. Every earlier secret signs for a day after its replacement. */
  rotateSecret(id: string, options?: CallOptions): Promise<RotatedSecret>;
  /** Lists sent and waiting deliveries, newest first unless the query has a `sort`. */
  deliveries(id: string, query?: DeliveryQuery, options?: CallOptions): List<WebhookDelivery>;
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Sends an event to the webhook again. */
  redeliver(id: string, eventId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Sends a test event to the webhook. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery>;
}

export function createWebhookMethods(transport: Transport): Webhooks {
  const at = createResourceClientFactory(transport, "webhooks");
  const patch: Webhooks["patch"] = async (id, body, options) => at(id).patch(body, options);
  return {
    patch,
    ...createPauseAndResumeMethods(patch),
    create: at().post,
    get: async (id, options) => at(id).get(options),
    getWithEtag: async (id, options) => at(id).send("GET", options, {}, readStored<Webhook>),
    list: at().list,
    remove: async (id, options) => at(id).remove(options),
    rotateSecret: async (id, options) => at(id, "secrets").post({}, options),
    deliveries: (id, query, options) => at(id, "deliveries").list(query, options),
    delivery: async (id, deliveryId, options) => at(id, "deliveries", deliveryId).get(options),
    redeliver: async (id, eventId, options) => at(id, "deliveries").post({ eventId }, options),
    test: async (id, options) => at(id, "deliveries").post({ type: "webhook.test" }, options),
  };
}
