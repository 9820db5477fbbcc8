import type { Render, ReportCatalogue } from "@reports/core";
import { createReportSource } from "@reports/db";
import { createRenderer } from "../render/render-report.ts";
import type { RendererSettings } from "./protocol.ts";

/** Wires a renderer process: report rows from Postgres, every format. */
export function composeRenderer(catalogue: ReportCatalogue, settings: RendererSettings): Render {
  return createRenderer({
    catalogue,
    rowSource: createReportSource({ url: settings.databaseUrl }),
    csvFormulaGuard: settings.csvFormulaGuard,
  });
}
