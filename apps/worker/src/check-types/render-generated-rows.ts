import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  startInputFromBody,
  type RenderResult,
  type ReportFormat,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { newId } from "@reports/runtime";
import { defaultBrand } from "../brand/brand.ts";
import { createRenderFunction } from "../renderer/render-report.ts";
import { generateRows } from "./generate-rows.ts";

const runTimeLimitMs = 60_000;
const maxSpoolBytes = 1024 ** 3;

/** Renders a report from generated rows into `folder`, without a database, and removes the file. Rejects if rendering fails. */
export async function renderGeneratedRows(
  definition: ReportTypeDefinition,
  format: ReportFormat,
  rows: number,
  folder: string,
): Promise<RenderResult> {
  const generated: ReportTypeDefinition = {
    ...definition,
    // A fixed condition could drop generated rows.
    where: [],
    // The command gives no filters.
    filters: definition.filters.filter(({ required }) => required !== true),
    rows: { kind: "objects", rows: () => generateRows(definition.columns, rows) },
  };
  const render = createRenderFunction({
    catalogue: { find: () => generated },
    rowSource: { open: async () => Promise.reject(new Error("Generated rows come from no database.")) },
    csvFormulaGuard: true,
    brand: defaultBrand,
  });
  const { title, searchParam, options } = startInputFromBody(
    generated,
    { reportType: definition.type, format },
    new Date(0),
  );
  const spoolPath = join(folder, `${definition.type}-${format}-${rows}`);
  try {
    return await render(
      {
        reportId: newId(),
        attempt: 1,
        reportType: definition.type,
        title,
        requestedBy: "basic:check",
        requesterName: null,
        createdAt: new Date().toISOString(),
        now: new Date().toISOString(),
        searchParam,
        options,
        spoolPath,
        maxSpoolBytes,
        maxRows: definition.formats[format]!.maxRows,
        runTimeLimitMs,
        keptRowsPath: null,
      },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
  } finally {
    await rm(spoolPath, { force: true });
  }
}
