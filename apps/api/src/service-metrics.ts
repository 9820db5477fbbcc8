import {
  isTypeServedBy,
  type LaneLoad,
  type ReportTypeDefinition,
  type ServedTypeVersions,
} from "@reports/core/report";
import { storeStates, type StoreState } from "@reports/core/base";
import { createCachedRead, type Metrics } from "@reports/runtime";

export interface ServiceMetricReaders {
  readLanes(): Promise<readonly LaneLoad[]>;
  /** Reads the age of the oldest snapshot that a transaction in Postgres holds, in milliseconds. */
  readOldestSnapshot(): Promise<number>;
  /** Reads one entry per running worker: the report types that it serves, or null for a worker that does not report them. */
  readServedTypes(): Promise<readonly (ServedTypeVersions | null)[]>;
  readWorkers(): Promise<readonly unknown[]>;
  readonly definitions: readonly Pick<ReportTypeDefinition, "type" | "version">[];
  openDownloads(): number;
  storeState(): StoreState;
}

/** Anyone may read /metrics, so the API reads each value from the database at most once per five seconds. */
export const metricCacheDurations = { okMs: 5_000, failureMs: 5_000 };

/** Registers the gauges of downloads, file store, queue, workers and snapshots. The last three are the same on every instance. docs/reference/resources/service.md#health-and-metrics. */
export function registerServiceMetrics(metrics: Metrics, readings: ServiceMetricReaders): void {
  const readLanes = createCachedRead(async () => readings.readLanes(), metricCacheDurations);
  const readOldestSnapshot = createCachedRead(async () => readings.readOldestSnapshot(), metricCacheDurations);
  const readServedTypes = createCachedRead(async () => readings.readServedTypes(), metricCacheDurations);
  metrics.polledGauge(
    {
      name: "report_types_unserved",
      help: "1 if no running worker serves this report type in the version that this instance starts; its reports wait. Else 0.",
      labels: ["type"],
    },
    async () => {
      const workers = await readServedTypes();
      return readings.definitions.map((definition) => ({
        value: isTypeServedBy(workers, definition) ? 0 : 1,
        labels: { type: definition.type },
      }));
    },
  );
  const readWorkers = createCachedRead(async () => readings.readWorkers(), metricCacheDurations);
  metrics.polledGauge(
    {
      name: "reports_workers_alive",
      help: "Workers with a recent heartbeat. It is also 0 while this instance cannot read Postgres.",
    },
    // If the query fails, the metric is 0, so that an alert on 0 workers also fires during an outage of Postgres.
    async () => [
      {
        value: await readWorkers().then(
          ({ length }) => length,
          () => 0,
        ),
      },
    ],
  );
  metrics.polledGauge({ name: "reports_open_downloads", help: "Files that are being sent." }, () => [
    { value: readings.openDownloads() },
  ]);
  metrics.polledGauge(
    {
      name: "reports_store_state",
      help: "1 for the current state of the file store, 0 for the others.",
      labels: ["state"],
    },
    () => storeStates.map((state) => ({ value: state === readings.storeState() ? 1 : 0, labels: { state } })),
  );
  metrics.polledGauge(
    {
      name: "report_queue_jobs",
      help: "Runnable and running jobs by lane, counted up to 2,000.",
      labels: ["lane", "state"],
    },
    async () =>
      (await readLanes()).flatMap(({ lane, waiting, running }) => [
        { value: waiting, labels: { lane, state: "waiting" } },
        { value: running, labels: { lane, state: "running" } },
      ]),
  );
  metrics.polledGauge(
    {
      name: "report_queue_workers",
      help: "Live workers that serve the lane and are not shutting down.",
      labels: ["lane"],
    },
    async () => (await readLanes()).map(({ lane, workers }) => ({ value: workers, labels: { lane } })),
  );
  metrics.polledGauge(
    {
      name: "report_queue_oldest_wait_seconds",
      help: "Seconds since the lane's oldest waiting job became runnable; 0 when none waits.",
      labels: ["lane"],
    },
    async () =>
      (await readLanes()).map(({ lane, oldestWaitMs }) => ({ value: (oldestWaitMs ?? 0) / 1000, labels: { lane } })),
  );
  metrics.polledGauge(
    {
      name: "reports_postgres_oldest_snapshot_seconds",
      help: "Age of the oldest snapshot, which holds back vacuum, in seconds.",
    },
    async () => [{ value: (await readOldestSnapshot()) / 1000 }],
  );
}
