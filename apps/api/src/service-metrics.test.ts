import { createMetrics } from "@reports/runtime";
import { expect, test } from "vitest";
import { registerServiceMetrics, type ServiceMetricReaders } from "./service-metrics.ts";

const unavailable = async (): Promise<never> => Promise.reject(new Error("Postgres is unavailable."));

async function pageWith(readings: Partial<ServiceMetricReaders>): Promise<string> {
  const metrics = createMetrics();
  registerServiceMetrics(metrics, {
    readLanes: unavailable,
    readOldestSnapshot: unavailable,
    readServedTypes: unavailable,
    readWorkers: unavailable,
    definitions: [],
    openDownloads: () => 0,
    storeState: () => "ok",
    ...readings,
  });
  return (await metrics.render()).body;
}

test("reports_workers_alive counts running workers, and is 0 while Postgres is down", async () => {
  expect(await pageWith({ readWorkers: async () => ["one", "another"] })).toMatch(/^reports_workers_alive 2$/m);
  const page = await pageWith({});
  expect(page).toMatch(/^reports_workers_alive 0$/m);
  // /metrics omits the metrics of the queue while their values are unknown. The value 0 would be wrong.
  expect(page).not.toMatch(/^report_queue_workers[{ ]/m);
});
