import type { Endpoint } from "../../endpoint/endpoint.ts";
import type { WebhooksDeps } from "./webhook-access.ts";
import {
  redeliverOrTestEndpoint,
  listDeliveriesEndpoint,
  readDeliveryEndpoint,
  rotateWebhookSecretEndpoint,
} from "./webhook-deliveries.ts";
import { ownedEndpoints } from "../../resource/owned-endpoints.ts";
import { webhooksCollection } from "./webhooks.ts";

export function webhooksEndpoints(
  deps: Omit<WebhooksDeps, "webhooks"> & { readonly webhooks: WebhooksDeps["webhooks"] | null },
): readonly Endpoint[] {
  const { webhooks } = deps;
  if (webhooks === null) return [];
  const known = { ...deps, webhooks };
  return [
    ...ownedEndpoints(known, webhooksCollection(known)),
    rotateWebhookSecretEndpoint(known),
    listDeliveriesEndpoint(known),
    redeliverOrTestEndpoint(known),
    readDeliveryEndpoint(known),
  ];
}
