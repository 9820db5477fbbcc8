import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportColumn, ReportSummary, ReportWarning } from "@reports/core/report";
import { renderToBuffer, createTestRows } from "../rows.fixture.ts";
import { pdfRenderer } from "./pdf.ts";

export interface RenderedPdf {
  readonly pages: readonly string[];
  /** Read only if a test needs it, because pdfinfo takes seconds for the structure of a long document. */
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
  const read = (program: string, ...args: string[]): string => readPdf(bytes, program, args);
  return {
    pages: read("pdftotext", "-layout").split("\f").slice(0, -1),
    get structure() {
      return read("pdfinfo", "-struct-text");
    },
    warnings,
  };
}

/** Returns what a program prints about a pdf. The arguments precede the path of the pdf, and `-` as the path of the output of pdftotext. */
function readPdf(bytes: Buffer, program: string, args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "opened-pdf-"));
  try {
    const path = join(folder, "opened.pdf");
    writeFileSync(path, bytes);
    const output = program === "pdftotext" ? ["-"] : [];
    return execFileSync(program, [...args, path, ...output], { encoding: "utf8", maxBuffer: 2 ** 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
