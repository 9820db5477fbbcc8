import { deliveryErrorMeanings, type DeliveryResult } from "@reports/core/webhook";
import { combineLabels, type Metrics } from "@reports/runtime";

export function createWebhookMetrics(
  metrics: Metrics,
  readState: () => Promise<Readonly<Record<"waiting" | "overdueMs" | "paused" | "unreadable" | "dropped", number>>>,
): (result: DeliveryResult) => void {
  const attempts = metrics.counter({
    name: "reports_webhook_tries_total",
    help: "Attempts of deliveries to webhooks, by result: delivered, dropped, released, or the code of the failure.",
    labels: ["result"],
    series: combineLabels({ result: ["delivered", "dropped", "released", ...Object.keys(deliveryErrorMeanings)] }),
  });
  const seconds = metrics.histogram({
    name: "reports_webhook_try_seconds",
    help: "How long receivers of webhooks took to answer, in seconds.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  });
  metrics.polledGauge(
    { name: "reports_webhook_deliveries_waiting", help: "Deliveries that wait for webhooks, counted up to 2,000." },
    async () => [{ value: (await readState()).waiting }],
  );
  metrics.polledGauge(
    {
      name: "reports_webhook_events_dropped",
      help: "Events of the last hour that were dropped because 10,000 deliveries were waiting for their webhook, counted up to 2,000.",
    },
    async () => [{ value: (await readState()).dropped }],
  );
  metrics.polledGauge(
    {
      name: "reports_webhook_overdue_seconds",
      help: "How long the oldest delivery has been due for a webhook that is active and has not just failed.",
    },
    async () => [{ value: (await readState()).overdueMs / 1000 }],
  );
  metrics.polledGauge(
    {
      name: "reports_webhooks_paused_by_service",
      help: "Webhooks that the service has paused, for example because every attempt failed.",
    },
    async () => [{ value: (await readState()).paused }],
  );
  metrics.polledGauge(
    {
      name: "reports_webhooks_unreadable",
      help: "Active webhooks whose secret no running worker can open, because none has the key. After an hour they are paused.",
    },
    async () => [{ value: (await readState()).unreadable }],
  );
  return (result) => {
    attempts.inc({ result: result.kind === "failed" ? result.code : result.kind });
    if ("durationMs" in result) seconds.observe(result.durationMs / 1000);
  };
}
