import type { Render, ReportCatalogue } from "@reports/core/report";
import { createReportSources } from "@reports/db/report-rows";
import { createReportRender } from "./render-report.ts";
import type { RendererSettings } from "./protocol.ts";

/** Connections to sources are reused between reports, but not for longer, because a database can move to another server. */
const connectionReuseMs = 5 * 60_000;

export function composeReportRender(catalogue: ReportCatalogue, settings: RendererSettings): Render {
  return createReportRender({
    catalogue,
    rowSource: createReportSources(settings.sources, {
      reuseMs: connectionReuseMs,
      parallelWorkers: settings.parallelWorkers,
    }),
    csvFormulaGuard: settings.csvFormulaGuard,
    brand: settings.brand,
  });
}
