import type { ExportOptions } from "./export-traces.ts";
import { noTraces, type Traces } from "./traces.ts";

export type TraceOptions = Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined };

/** Creates the traces of a process. Loads the OpenTelemetry SDK only if there is a collector, because the SDK costs a few 100 ms and 27 MB. */
export async function createTraces({ endpoint, ...options }: TraceOptions): Promise<Traces> {
  if (endpoint === undefined) return noTraces;
  const { exportTraces } = await import("./export-traces.ts");
  return exportTraces({ ...options, endpoint });
}
