import { builtInReportTypes, createCatalogue, type ReportTypeDefinition } from "@reports/core";
import { composeRenderer } from "./compose.ts";
import { serveRenders } from "./serve-renders.ts";

/** A renderer's process: makes files of reports of these types, one at a time, for the worker that forked it, and ends with it. */
export function runRenderer(reportTypes: readonly ReportTypeDefinition[] = builtInReportTypes): void {
  const catalogue = createCatalogue(reportTypes);
  serveRenders((settings) => composeRenderer(catalogue, settings));
}
