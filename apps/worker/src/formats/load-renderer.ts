import { HostFailureError } from "@reports/core/base";
import type { ReportFormat } from "@reports/core/report";
import type { FormatRenderer } from "./format-renderer.ts";

/** Loads the renderer of a format. Rejects with HostFailureError if a file of the program is missing or broken. */
export async function loadRenderer(
  format: ReportFormat,
  settings: { readonly formulaGuard: boolean },
): Promise<FormatRenderer> {
  try {
    return await importRenderer(format, settings);
  } catch (error) {
    throw new HostFailureError("renderers", `The renderer of ${format} cannot be loaded on this host.`, error);
  }
}

/** Imports a format when it is first needed, so that a process that writes csv does not load the libraries of pdf. */
async function importRenderer(
  format: ReportFormat,
  settings: { readonly formulaGuard: boolean },
): Promise<FormatRenderer> {
  switch (format) {
    case "csv":
      return (await import("./csv/csv.ts")).createCsvRenderer(settings);
    case "json":
      return (await import("./json/json.ts")).jsonRenderer;
    case "ndjson":
      return (await import("./json/ndjson.ts")).ndjsonRenderer;
    case "xlsx":
      return (await import("./xlsx/xlsx.ts")).xlsxRenderer;
    case "pdf":
      return (await import("./pdf/pdf.ts")).pdfRenderer;
  }
}
