import type { ExportOptions } from "./export-traces.ts";
import { noTraces, type Traces } from "./traces.ts";

/** Where traces go. No endpoint: nowhere. */
export type TraceOptions = Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined };

/** Loads OpenTelemetry's SDK where there is a collector, and only there: it costs every start some tenths of a second and 27 MB. */
export async function createTraces({ endpoint, ...options }: TraceOptions): Promise<Traces> {
  if (endpoint === undefined) return noTraces;
  const { exportTraces } = await import("./export-traces.ts");
  return exportTraces({ ...options, endpoint });
}
