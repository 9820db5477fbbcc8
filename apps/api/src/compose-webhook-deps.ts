import { createWebhookLists, createWebhookStore, type Database, type ListConnectionPool } from "@reports/db";
import { findOutboundUrlProblem, emptyAllowlist, type Logger, type Metrics } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";
import type { WebhooksDeps } from "./routes/webhooks/webhook-access.ts";
import { composeSecretResealerDeps } from "./webhook-keys/compose-secret-resealer-deps.ts";
import { registerWebhookKeyMetrics } from "./webhook-keys/webhook-key-metrics.ts";
import { createSecretSealer } from "./webhook-keys/seal-secret.ts";

/** Returns what the webhook endpoints need; null without WEBHOOK_KEY, the encryption key of webhook secrets. */
export function composeWebhookDeps(
  config: ApiConfig,
  parts: {
    readonly database: Database;
    readonly listDatabase: ListConnectionPool;
    readonly metrics: Metrics;
    readonly logger: Logger;
  },
): WebhooksDeps["webhooks"] | null {
  const keys = composeSecretResealerDeps(config, parts);
  if (keys === null) return null;
  const [key] = keys.keys;
  registerWebhookKeyMetrics(parts.metrics, { secrets: keys.secrets, key });
  return {
    store: createWebhookStore(parts.database),
    lists: createWebhookLists(parts.listDatabase),
    seal: createSecretSealer({ ...keys, key, readKeys: keys.secrets.readKeys }),
    findUrlProblem: (url) => findOutboundUrlProblem(url, config.webhookAllow ?? emptyAllowlist),
  };
}
