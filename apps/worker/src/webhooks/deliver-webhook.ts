import { judgeTry, type DeliveryQueue, type Settlement, type TakenDelivery } from "@reports/core";
import type { Sealer } from "@reports/runtime";
import type { SendDelivery } from "./send-delivery.ts";
import { signDelivery } from "./sign-delivery.ts";

/** What delivering needs. */
export interface DeliverDeps {
  readonly queue: DeliveryQueue;
  readonly sealer: Sealer;
  readonly send: SendDelivery;
  /** What links begin with, the base path included. */
  readonly publicUrl: string;
  readonly random: () => number;
}

/**
 * Delivers what was taken, or says why not, and writes that down. When the signal aborts, it is let go and keeps its place.
 * Rejects with StoreUnavailableError; the hold then ends by itself.
 */
export async function deliverWebhook(
  deps: DeliverDeps,
  taken: TakenDelivery,
  signal: AbortSignal,
): Promise<Settlement> {
  const settlement = await tryOnce(deps, taken, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { kind: "released", pause: null } as const;
  });
  await deps.queue.settle(taken, settlement);
  return settlement;
}

async function tryOnce(deps: DeliverDeps, taken: TakenDelivery, signal: AbortSignal): Promise<Settlement> {
  if (!taken.isOwnerAllowed) return { kind: "dropped", code: "AUTHORITY_LOST" };
  const [current, ...before] = taken.secrets.map((sealed) => deps.sealer.open(sealed, taken.webhookId));
  // Without the current one nothing that is sent would be believed for longer than a day.
  if (current === null || current === undefined) return { kind: "released", pause: "SECRET_UNREADABLE" };
  const secrets = [current, ...before.filter((secret) => secret !== null)];
  const began = performance.now();
  const signed = signDelivery(taken, { secrets, publicUrl: deps.publicUrl, now: taken.now() });
  const outcome = await deps.send(taken.url, signed, { now: taken.now, signal });
  return judgeTry(taken, outcome, Math.round(performance.now() - began), deps.random);
}
