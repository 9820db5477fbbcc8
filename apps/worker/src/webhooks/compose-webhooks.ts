import { pauseAfterSecretUnreadableMs } from "@reports/core/webhook";
import { createDeliveryQueue, pauseUnreadableWebhooks, readWebhookCounts, type Database } from "@reports/db";
import { createSealer, keyFingerprintOf, emptyAllowlist, type Logger, type Metrics } from "@reports/runtime";
import type { WorkerConfig } from "../config.ts";
import { createPeriodicWork } from "../maintenance/periodic-work.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { createDeliveryLoop, type DeliveryLoop } from "./delivery-loop.ts";
import { createWebhookMetrics } from "./webhook-metrics.ts";

/**
 * Times that docs/reference/resources/webhooks.md#attempts promises. A claimed delivery is held for `holdMs`, longer than any attempt; then another
 * worker may claim it.
 */
const timings = { timeoutMs: 15_000, connectTimeoutMs: 5_000, holdMs: 60_000, everyMs: 1_000, noteEveryMs: 60_000 };

export async function composeWebhooks(
  config: Pick<
    WorkerConfig,
    | "webhookKeys"
    | "webhookAllow"
    | "webhookDnsServers"
    | "webhookConcurrency"
    | "webhookEndpointConcurrency"
    | "scheduleConfirmDays"
    | "publicUrl"
    | "basePath"
  >,
  deps: {
    readonly database: Database;
    readonly metrics: Metrics;
    readonly logger: Logger;
    readonly times?: Partial<typeof timings>;
  },
): Promise<DeliveryLoop | null> {
  const { timeoutMs, connectTimeoutMs, holdMs, everyMs, noteEveryMs } = { ...timings, ...deps.times };
  const { webhookKeys, webhookAllow = emptyAllowlist, publicUrl = "", basePath } = config;
  if (webhookKeys === undefined) return null;
  // Loaded late, because a worker without webhooks does not need these modules, 109 with their HTTP client.
  const [{ createNameServerLookup, createSystemLookup }, { createDeliverySender }] = await Promise.all([
    import("@reports/runtime/egress"),
    import("./send-delivery.ts"),
  ]);
  const { database, logger } = deps;
  const queue = createDeliveryQueue(database);
  const send = createDeliverySender({
    allowlist: webhookAllow,
    findAddresses: createNameServerLookup(config.webhookDnsServers),
    findAllowed: createSystemLookup(),
    connectTimeoutMs,
    timeoutMs,
  });
  const shared = { queue, sealer: createSealer(webhookKeys.reveal()), publicUrl: `${publicUrl}${basePath}` };
  const rules = {
    holdMs,
    perWebhook: config.webhookEndpointConcurrency,
    keys: webhookKeys.reveal().map(keyFingerprintOf),
    confirmDays: config.scheduleConfirmDays,
  };
  const noting = createPeriodicWork({
    name: "unreadable-webhooks",
    everyMs: noteEveryMs,
    jitterMs: noteEveryMs / 6,
    work: async () => {
      const paused = await database.query((queries) => pauseUnreadableWebhooks(queries, pauseAfterSecretUnreadableMs));
      for (const webhookId of paused) logger.warn("webhook paused", { webhookId, because: "SECRET_UNREADABLE" });
    },
    logger,
  });
  const loop = createDeliveryLoop({
    claim: async (excludedOwners) => queue.claim({ ...rules, excludedOwners }),
    deliver: (taken, attempt) => deliverWebhook({ ...shared, send, random: Math.random }, taken, attempt),
    concurrency: config.webhookConcurrency,
    everyMs,
    onResult: createWebhookMetrics(deps.metrics, async () => database.query((queries) => readWebhookCounts(queries))),
    logger,
  });
  return {
    start() {
      noting.start();
      loop.start();
    },
    async stop() {
      await Promise.all([noting.stop(), loop.stop()]);
    },
  };
}
