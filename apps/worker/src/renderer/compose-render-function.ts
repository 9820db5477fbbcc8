import type { Render, ReportCatalogue } from "@reports/core/report";
import { createMultiSourceReader } from "@reports/db/report-rows";
import { createRenderFunction } from "./render-report.ts";
import type { RendererSettings } from "./protocol.ts";

/** Time in ms for which reports reuse a connection to a source. The time is limited, because a database can move to another server. */
const connectionReuseMs = 5 * 60_000;

export function composeRenderFunction(catalogue: ReportCatalogue, settings: RendererSettings): Render {
  return createRenderFunction({
    catalogue,
    rowSource: createMultiSourceReader(settings.sources, {
      reuseMs: connectionReuseMs,
      parallelWorkers: settings.parallelWorkers,
    }),
    csvFormulaGuard: settings.csvFormulaGuard,
    brand: settings.brand,
  });
}
