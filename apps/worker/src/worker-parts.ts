import type { RegisteredReportType, ReportCatalogue, RunDeps } from "@reports/core/report";
import type { Lifecycle, Logger, Metrics, Traces } from "@reports/runtime";
import type { Brand } from "./brand/brand.ts";
import type { WorkerClocks } from "./clocks.ts";
import type { WorkerConfig } from "./config.ts";

/** The parts of a worker that its configuration does not give. */
export interface WorkerParts {
  readonly reportTypes: readonly RegisteredReportType[];
  /** The whole environment of renderer processes. */
  readonly rendererEnvironment: Readonly<Record<string, string>>;
  /** How documents look. */
  readonly brand: Brand;
  readonly clocks: WorkerClocks;
  readonly traces: Traces;
  readonly logger: Logger;
  /** Wraps the dependencies of an attempt: for tests that stop one at a chosen point. */
  readonly wrapRunDeps?: (deps: RunDeps) => RunDeps;
}

/** Settings and tools that every part of the worker uses. */
export interface WorkerBase extends WorkerParts {
  readonly config: WorkerConfig;
  readonly metrics: Metrics;
  readonly catalogue: ReportCatalogue;
  /** Distinguishes this process from others with the same host and process ID. */
  readonly unique: string;
  readonly shutDown: Lifecycle["shutDown"];
}
