import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportColumn, ReportSummary, ReportWarning } from "@reports/core/report";
import { renderToBuffer, createTestRows } from "../rows.fixture.ts";
import { pdfRenderer } from "./pdf.ts";

export interface RenderedPdf {
  readonly pages: readonly string[];
  readonly structure: string;
  readonly warnings: readonly ReportWarning[];
}

export async function renderAndReadPdf(
  columns: readonly ReportColumn[],
  wire: string,
  given: Parameters<typeof renderToBuffer>[2] & { readonly summary?: ReportSummary } = {},
): Promise<RenderedPdf> {
  const { summary, options, ...others } = given;
  const rows = createTestRows(columns, wire, summary === undefined ? {} : { summary });
  const { bytes, warnings } = await renderToBuffer(pdfRenderer, rows, {
    ...others,
    options: { format: "pdf", ...options },
  });
  const folder = mkdtempSync(join(tmpdir(), "opened-pdf-"));
  try {
    const path = join(folder, "opened.pdf");
    writeFileSync(path, bytes);
    const read = (program: string, ...args: string[]): string =>
      execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
    const pages = read("pdftotext", "-layout", path, "-").split("\f").slice(0, -1);
    return { pages, structure: read("pdfinfo", "-struct-text", path), warnings };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
