import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type BuildInfo, readBuildInfo } from "./build-info.ts";
import { withDeadline } from "./deadline.ts";
import type { CachedReadTimes } from "./create-cached-read.ts";

/** Options of a metric. A label must have few values, so an ID or a user can't be a label. */
export interface MetricOptions<Label extends string> {
  /** Name of the metric in snake_case with its unit last. The prefix distinguishes our metrics in a shared Prometheus. */
  readonly name: `report_${string}` | `reports_${string}`;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** Options of a counter. A counter without labels has one series, which begins at 0. A counter with labels needs `series`. */
export type CounterOptions<Label extends string> =
  | (Omit<MetricOptions<never>, "labels"> & { readonly labels?: undefined })
  | (MetricOptions<Label> & {
      readonly labels: readonly Label[];
      /**
       * The series that exist with the value 0 from the start. Prometheus does not see the first increase of a series that appears with 1, so
       * alerts would miss it. Empty if the label values are not known in advance.
       */
      readonly series: readonly Readonly<Record<Label, string>>[];
    });

export interface MetricSample<Label extends string> {
  readonly value: number;
  readonly labels?: Partial<Record<Label, string>>;
}

/** Returns the labels of every combination of label values, for the `series` of a counter. */
export function combineLabels<Label extends string>(
  values: Readonly<Record<Label, readonly string[]>>,
): Record<Label, string>[] {
  let series: Record<string, string>[] = [{}];
  for (const [label, each] of Object.entries<readonly string[]>(values))
    series = series.flatMap((labels) => each.map((value) => ({ ...labels, [label]: value })));
  return series;
}

export interface Metrics {
  readonly build: BuildInfo;
  counter<Label extends string = never>(options: CounterOptions<Label>): Counter<Label>;
  gauge<Label extends string = never>(options: MetricOptions<Label>): Gauge<Label>;
  /**
   * Registers a gauge whose samples are read at every scrape. If the read fails or takes longer than `readTimeoutMs`, the gauge has no samples
   * and `reports_metrics_read_failures_total` grows; other metrics are still served.
   */
  polledGauge<Label extends string = never>(
    options: MetricOptions<Label>,
    read: (signal: AbortSignal) => Promise<readonly MetricSample<Label>[]> | readonly MetricSample<Label>[],
  ): void;
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** How long `/metrics` serves the same text before it reads the metrics again, after a success and after a failure. */
  readonly renderedFor: CachedReadTimes;
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** How long the text of `/metrics` is served again. Anyone can request it, and each rendering takes milliseconds of processor time. */
const reuseTimes: CachedReadTimes = { okMs: 1_000, failureMs: 1_000 };

/** Metrics of the process itself. Node keeps the timer and the observer that collect them, and so the objects that their registry refers to, forever. */
let processRegistry: Registry | undefined;

function collectProcessMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Creates a separate registry. `render` adds the metrics of the process itself (CPU, memory, event-loop lag, garbage collection).
 *
 * @param moduleUrl `import.meta.url` of a module directly in `dist` or `src` of the app. The folder above has the version and revision for `report_build_info`.
 * @param readTimeoutMs Time limit of each read of a polled gauge, in milliseconds.
 */
export function createMetrics(
  moduleUrl: string = import.meta.url,
  renderedFor: CachedReadTimes = reuseTimes,
  readTimeoutMs = 2_000,
): Metrics {
  const ofProcess = (processRegistry ??= collectProcessMetrics());
  const registry = new Registry();
  const build = readBuildInfo(moduleUrl);
  new Gauge({
    name: "report_build_info",
    help: "Always 1. Its labels are the version of the process and the commit that it was built from.",
    labelNames: ["version", "revision"],
    registers: [registry],
  }).set({ ...build }, 1);
  const readFailures = new Counter({
    name: "reports_metrics_read_failures_total",
    help: "Reads of polled gauges that failed or took too long.",
    labelNames: ["metric"],
    registers: [registry],
  });
  const base = <Label extends string>(options: MetricOptions<Label> | CounterOptions<Label>) => ({
    name: options.name,
    help: options.help,
    labelNames: [...(options.labels ?? [])],
    registers: [registry],
  });
  return {
    build,
    renderedFor,
    counter<Label extends string>(options: CounterOptions<Label>) {
      const counter = new Counter<Label>(base<Label>(options));
      if (options.labels !== undefined) for (const labels of options.series) counter.inc({ ...labels }, 0);
      return counter;
    },
    gauge: (options) => new Gauge(base(options)),
    histogram: (options) => new Histogram({ ...base(options), buckets: [...options.buckets] }),
    polledGauge(options, read) {
      readFailures.inc({ metric: options.name }, 0);
      const gauge: Gauge = new Gauge<string>({
        ...base<string>(options),
        async collect() {
          const samples = await withDeadline(
            async (signal) => read(signal),
            readTimeoutMs,
            `Reading ${options.name}`,
          ).catch(() => {
            readFailures.inc({ metric: options.name });
            return [];
          });
          // Old samples must not stay. `reset` removes all series of a gauge with labels, and sets a gauge without labels to 0.
          gauge.reset();
          if (samples.length === 0 && options.labels === undefined) gauge.remove();
          for (const sample of samples) gauge.set(sample.labels ?? {}, sample.value);
        },
      });
    },
    render: async () => ({
      contentType: registry.contentType,
      body: `${await ofProcess.metrics()}\n${await registry.metrics()}`,
    }),
  };
}
