import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { reportFormats } from "@reports/core/report";
import { defaultBrand } from "../brand/brand.ts";
import { createRenderFunction } from "./render-report.ts";
import {
  createTestColumns,
  createTestDefinition,
  createTestRenderRequest,
  createTestRows,
} from "../formats/rows.fixture.ts";
import { readPeakMemoryMebibytes } from "../peak-memory.fixture.ts";

/** Program that renders a million generated rows. A test limits the heap of its process. Usage: `node … <format> <spool path>` */
const [formatName, spoolPath = ""] = process.argv.slice(2);
const format = reportFormats.find((candidate) => candidate === formatName) ?? "csv";
const columns = createTestColumns({
  host: "text",
  at: "timestamp",
  port: "integer",
  rate: "ratio",
  on: "boolean",
  issues: "list",
});

function* wireChunks(): Generator<Buffer> {
  for (let start = 0; start < 1_000_000; start += 1000) {
    let text = "";
    for (let row = start; row < start + 1000; row++) {
      text += `host-${row}.example.org and some words more to fill the row,2026-11-21 01:02:03.${row % 1000}+00,${row},0.${row},${row % 2 === 0 ? "t" : "f"},"{A,B ${row}}"\n`;
    }
    yield Buffer.from(text);
  }
}

const render = createRenderFunction({
  rowSource: { open: () => Promise.resolve({ ...createTestRows(columns, ""), bytes: Readable.from(wireChunks()) }) },
  catalogue: { find: () => createTestDefinition(columns) },
  csvFormulaGuard: true,
  brand: defaultBrand,
});
const request = createTestRenderRequest(columns, { spoolPath, runTimeLimitMs: 120_000, options: { format } });
const { rowCount, sizeBytes } = await render(request, {
  signal: new AbortController().signal,
  onProgress: () => undefined,
});
process.stdout.write(JSON.stringify({ rowCount, sizeBytes, peakMb: readPeakMemoryMebibytes() }));
