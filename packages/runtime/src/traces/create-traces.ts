import type { ExportOptions } from "./export-traces.ts";
import { noTraces, type Traces } from "./traces.ts";

/** Without an endpoint, traces go nowhere. */
export type TraceOptions = Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined };

/** Loads OpenTelemetry's SDK only for a collector: it costs every start some tenths of a second and 27 MB. */
export async function createTraces({ endpoint, ...options }: TraceOptions): Promise<Traces> {
  if (endpoint === undefined) return noTraces;
  const { exportTraces } = await import("./export-traces.ts");
  return exportTraces({ ...options, endpoint });
}
