import type { Logger } from "../log/logger.ts";
import { noTraces, type Traces } from "./traces.ts";

/** Where traces go, and in whose name. */
export interface TraceOptions {
  /** Undefined: nowhere. */
  readonly endpoint: string | undefined;
  /** Of the traces that begin here, from 0 to 1. */
  readonly share: number;
  /** Name of the process, as the collector shows it. */
  readonly service: string;
  readonly logger: Logger;
}

/** Loads OpenTelemetry's SDK where there is a collector, and only there: it costs every start some tenths of a second and 27 MB. */
export async function createTraces({ endpoint, ...options }: TraceOptions): Promise<Traces> {
  if (endpoint === undefined) return noTraces;
  const { exportTraces } = await import("./export-traces.ts");
  return exportTraces({ ...options, endpoint });
}
