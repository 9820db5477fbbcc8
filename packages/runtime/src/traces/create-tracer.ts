import type { TraceExportOptions } from "./create-exporting-tracer.ts";
import { noopTracer, type Tracer } from "./tracer.ts";

export type TracerOptions = Omit<TraceExportOptions, "endpoint"> & { readonly endpoint: string | undefined };

/** Creates the traces of a process. Loads the OpenTelemetry SDK only if there is a collector, because the SDK costs a few 100 ms and 27 MB. */
export async function createTracer({ endpoint, ...options }: TracerOptions): Promise<Tracer> {
  if (endpoint === undefined) return noopTracer;
  const { createExportingTracer } = await import("./create-exporting-tracer.ts");
  return createExportingTracer({ ...options, endpoint });
}
