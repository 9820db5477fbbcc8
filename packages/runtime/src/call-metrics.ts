import type { Metrics } from "./metrics.ts";

export function registerDatabaseCallMetrics(
  metrics: Metrics,
  read: () => { readonly open: number; readonly waiting: number },
): void {
  metrics.polledGauge(
    {
      name: "reports_open_database_calls",
      help: "Calls that hold a connection to the database or are waiting for one.",
    },
    () => [{ value: read().open }],
  );
  metrics.polledGauge(
    { name: "reports_waiting_database_calls", help: "Calls that are waiting for a connection to the database." },
    () => [{ value: read().waiting }],
  );
}
