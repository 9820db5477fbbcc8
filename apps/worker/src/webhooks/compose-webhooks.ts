import { createDeliveryQueue, readWebhookState, type Database } from "@reports/db";
import { createSealer, noAllowance, type Logger, type Metrics } from "@reports/runtime";
import { createGuardedAgent } from "@reports/runtime/egress";
import type { WorkerConfig } from "../config.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { createDeliveryLoop, type DeliveryLoop } from "./delivery-loop.ts";
import { createSender } from "./send-delivery.ts";
import { createWebhookMetrics } from "./webhook-metrics.ts";

/** docs/contract.md §9.4. A worker that does not come back loses its holds, which are longer than any try takes. */
const times = { timeoutMs: 15_000, connectTimeoutMs: 5_000, holdMs: 60_000, everyMs: 1_000 };

/** Wires what sends to webhooks; null without WEBHOOK_KEY. */
export function composeWebhooks(
  config: Pick<
    WorkerConfig,
    "webhookKeys" | "webhookAllow" | "webhookConcurrency" | "webhookEndpointConcurrency" | "publicUrl" | "basePath"
  >,
  deps: {
    readonly database: Database;
    readonly metrics: Metrics;
    readonly logger: Logger;
    /** Of tests. */
    readonly times?: Partial<typeof times>;
  },
): DeliveryLoop | null {
  const { timeoutMs, connectTimeoutMs, holdMs, everyMs } = { ...times, ...deps.times };
  const { webhookKeys, webhookAllow = noAllowance, publicUrl = "", basePath } = config;
  if (webhookKeys === undefined) return null;
  const { database, logger } = deps;
  const queue = createDeliveryQueue(database);
  const send = createSender({
    openAgent: () => createGuardedAgent({ allowance: webhookAllow, connectTimeoutMs }),
    allowance: webhookAllow,
    timeoutMs,
  });
  const shared = { queue, sealer: createSealer(webhookKeys.reveal()), publicUrl: `${publicUrl}${basePath}` };
  return createDeliveryLoop({
    take: async (besides) => queue.take({ holdMs, perWebhook: config.webhookEndpointConcurrency, besides }),
    deliver: (taken, attempt) => deliverWebhook({ ...shared, send, random: Math.random }, taken, attempt),
    atOnce: config.webhookConcurrency,
    everyMs,
    onSettled: createWebhookMetrics(deps.metrics, async () => database.query((queries) => readWebhookState(queries))),
    logger,
  });
}
