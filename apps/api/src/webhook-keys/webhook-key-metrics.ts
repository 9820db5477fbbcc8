import type { SealedSecretStore } from "@reports/core/webhook";
import { createCachedRead, type Metrics } from "@reports/runtime";
import { metricCacheDurations } from "../service-metrics.ts";
import { canWorkersDecrypt } from "./seal-secret.ts";

export function registerWebhookKeyMetrics(
  metrics: Metrics,
  { secrets, key }: { readonly secrets: SealedSecretStore; readonly key: string },
): void {
  const isKeyAvailable = createCachedRead(async () => canWorkersDecrypt(secrets.readKeys, key), metricCacheDurations);
  const count = createCachedRead(async () => secrets.countNotUnder(key), metricCacheDurations);
  metrics.polledGauge(
    {
      name: "reports_webhook_key_unheld",
      help: "1 if workers run and none has the first key of this instance's WEBHOOK_KEY: webhooks cannot be created. Otherwise 0.",
    },
    async () => [{ value: (await isKeyAvailable()) ? 0 : 1 }],
  );
  metrics.polledGauge(
    {
      name: "reports_webhook_secrets_under_other_keys",
      help: "Webhooks with a secret that another key than the first of this instance's WEBHOOK_KEY has sealed. While it is not 0, that key is needed.",
    },
    async () => [{ value: await count() }],
  );
}
