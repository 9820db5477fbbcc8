import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { withDeadline } from "./deadline.ts";

/** Name, meaning and label names of a metric. Labels take few values: no ids, no users. */
export interface MetricOptions<Label extends string> {
  /** snake_case with its unit last. A Prometheus holds many services: the beginning of the name says that it is ours. */
  readonly name: `report_${string}` | `reports_${string}`;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** One value of a gauge that is read when it is asked for. */
export interface Sample<Label extends string> {
  readonly value: number;
  readonly labels?: Partial<Record<Label, string>>;
}

/** The metrics of one process. */
export interface Metrics {
  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label>;
  gauge<Label extends string = never>(options: MetricOptions<Label>): Gauge<Label>;
  /**
   * A gauge whose samples are read at every scrape. A read that fails or takes longer than two seconds
   * leaves the gauge empty and counts in `reports_metrics_read_failures_total`; the other metrics are still served.
   */
  polledGauge<Label extends string = never>(
    options: MetricOptions<Label>,
    read: (signal: AbortSignal) => Promise<readonly Sample<Label>[]> | readonly Sample<Label>[],
  ): void;
  /** Buckets are upper bounds in the unit of the name. */
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** Everything in the text format of Prometheus. */
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
}

const readTimeoutMs = 2_000;

/** Makes a registry of its own, with the process's defaults (CPU, memory, event-loop lag, garbage collection). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readFailures = new Counter({
    name: "reports_metrics_read_failures_total",
    help: "Reads of polled gauges that failed or took too long.",
    labelNames: ["metric"],
    registers: [registry],
  });
  const base = <Label extends string>(options: MetricOptions<Label>) => ({
    name: options.name,
    help: options.help,
    labelNames: [...(options.labels ?? [])],
    registers: [registry],
  });
  return {
    counter: (options) => new Counter(base(options)),
    gauge: (options) => new Gauge(base(options)),
    histogram: (options) => new Histogram({ ...base(options), buckets: [...options.buckets] }),
    polledGauge(options, read) {
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
          // Without labels there is one series, which resetting sets to 0; with labels there are none left, and nothing to remove.
          gauge.reset();
          if (samples.length === 0 && options.labels === undefined) gauge.remove();
          for (const sample of samples) gauge.set(sample.labels ?? {}, sample.value);
        },
      });
    },
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
