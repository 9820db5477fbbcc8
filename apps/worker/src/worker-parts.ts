import type { RegisteredReportType, ReportCatalogue, RunDeps } from "@reports/core/report";
import type { Lifecycle, Logger, Metrics, Tracer } from "@reports/runtime";
import type { Brand } from "./brand/brand.ts";
import type { WorkerTimings } from "./clocks.ts";
import type { WorkerConfig } from "./config.ts";

export interface WorkerParts {
  readonly reportTypes: readonly RegisteredReportType[];
  readonly rendererEnvironment: Readonly<Record<string, string>>;
  readonly brand: Brand;
  readonly clocks: WorkerTimings;
  readonly traces: Tracer;
  readonly logger: Logger;
  readonly wrapRunDeps?: (deps: RunDeps) => RunDeps;
  /** Additional arguments of Node for the process of the reconciler. Default: none. */
  readonly reconcilerArguments?: readonly string[];
}

export interface WorkerContext extends WorkerParts {
  readonly config: WorkerConfig;
  readonly metrics: Metrics;
  readonly catalogue: ReportCatalogue;
  /** Random text that distinguishes this process from others with the same host and process ID. */
  readonly unique: string;
  readonly shutDown: Lifecycle["shutDown"];
}
