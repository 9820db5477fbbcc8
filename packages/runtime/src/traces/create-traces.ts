import type { ExportOptions } from "./export-traces.ts";
import { noTraces, type Traces } from "./traces.ts";

/** Without an endpoint, nothing is recorded. */
export type TraceOptions = Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined };

/** Loads the OpenTelemetry SDK only if there is a collector, because it costs a few 100 ms at the start and 27 MB. */
export async function createTraces({ endpoint, ...options }: TraceOptions): Promise<Traces> {
  if (endpoint === undefined) return noTraces;
  const { exportTraces } = await import("./export-traces.ts");
  return exportTraces({ ...options, endpoint });
}
