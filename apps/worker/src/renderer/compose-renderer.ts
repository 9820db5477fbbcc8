import type { Render, ReportCatalogue } from "@reports/core/report";
import { createReportSources } from "@reports/db/report-rows";
import { createRenderer } from "./render-report.ts";
import type { RendererSettings } from "./protocol.ts";

/**
 * Connections to sources are reused for this long: enough for consecutive reports, and short enough to follow a database that moves to another
 * server.
 */
const connectionReuseMs = 5 * 60_000;

export function composeRenderer(catalogue: ReportCatalogue, settings: RendererSettings): Render {
  return createRenderer({
    catalogue,
    rowSource: createReportSources(settings.sources, {
      reuseMs: connectionReuseMs,
      parallelWorkers: settings.parallelWorkers,
    }),
    csvFormulaGuard: settings.csvFormulaGuard,
    brand: settings.brand,
  });
}
