import type { Endpoint } from "../../endpoint/endpoint.ts";
import type { WebhooksDeps } from "./webhook-access.ts";
import {
  createDeliveryEndpoint,
  listDeliveriesEndpoint,
  readDeliveryEndpoint,
  rotateSecretEndpoint,
} from "./webhook-deliveries.ts";
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhooksEndpoint,
  patchWebhookEndpoint,
  readWebhookEndpoint,
} from "./webhooks.ts";

/** The endpoints of webhooks; none without the key under which their secrets are stored. docs/contract.md §9. */
export function webhooksEndpoints(
  deps: Omit<WebhooksDeps, "webhooks"> & { readonly webhooks: WebhooksDeps["webhooks"] | null },
): readonly Endpoint[] {
  const { webhooks } = deps;
  if (webhooks === null) return [];
  return [
    listWebhooksEndpoint,
    createWebhookEndpoint,
    readWebhookEndpoint,
    patchWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateSecretEndpoint,
    listDeliveriesEndpoint,
    createDeliveryEndpoint,
    readDeliveryEndpoint,
  ].map((define) => define({ ...deps, webhooks }));
}
