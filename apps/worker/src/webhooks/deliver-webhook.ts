import {
  evaluateDeliveryAttempt,
  type DeliveryQueue,
  type DeliveryResult,
  type ClaimedDelivery,
} from "@reports/core/webhook";
import type { Sealer } from "@reports/runtime";
import type { DeliveryAttemptOptions } from "./delivery-loop.ts";
import type { SendDelivery } from "./send-delivery.ts";
import { signDelivery } from "./sign-delivery.ts";

export interface DeliverWebhookDeps {
  readonly queue: DeliveryQueue;
  readonly sealer: Sealer;
  readonly send: SendDelivery;
  readonly publicUrl: string;
  readonly random: () => number;
}

/** Sends a delivery and records the result. An aborted delivery is released, so that it stays due. */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  taken: ClaimedDelivery,
  attempt: DeliveryAttemptOptions,
): Promise<DeliveryResult> {
  const { result, close } = await attemptOnce(deps, taken, attempt).catch((error: unknown) => {
    if (!attempt.signal.aborted) throw error;
    return createResultWithoutRequest({ kind: "released", pause: null });
  });
  try {
    await deps.queue.complete(taken, result);
  } finally {
    // A short response body has arrived by now. A longer body is cut off, because only the status counts.
    await close();
  }
  return result;
}

interface AttemptResult {
  readonly result: DeliveryResult;
  readonly close: () => Promise<void>;
}

function createResultWithoutRequest(result: DeliveryResult): AttemptResult {
  return { result, close: async () => undefined };
}

async function attemptOnce(
  deps: DeliverWebhookDeps,
  taken: ClaimedDelivery,
  { signal, onResolved }: DeliveryAttemptOptions,
): Promise<AttemptResult> {
  if (!taken.isOwnerAllowed) return createResultWithoutRequest({ kind: "dropped", code: "AUTHORITY_LOST" });
  if (!taken.isOwnerSeen) return createResultWithoutRequest({ kind: "released", pause: "OWNER_NOT_SEEN" });
  const [current, ...before] = taken.secrets.map((sealed) => deps.sealer.open(sealed, taken.webhookId));
  // Only webhooks whose key this worker has are claimed, so an unreadable secret is damaged, and no worker can open it.
  if (current === null || current === undefined)
    return createResultWithoutRequest({ kind: "released", pause: "SECRET_UNREADABLE" });
  const secrets = [current, ...before.filter((secret) => secret !== null)];
  const began = performance.now();
  const signed = signDelivery(taken, { secrets, publicUrl: deps.publicUrl, now: taken.now() });
  const { outcome, close } = await deps.send(taken.url, signed, { now: taken.now, signal, onResolved });
  return { result: evaluateDeliveryAttempt(taken, outcome, Math.round(performance.now() - began), deps.random), close };
}
