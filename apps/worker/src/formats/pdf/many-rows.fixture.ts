// A program that renders 200,000 generated rows, about 37 MB in the wire form, as a pdf. bounded-memory.ci.test.ts runs it with a limited heap.
// It prints the number of rows, the bytes of the pdf and the peak memory as JSON.
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { defaultBrand } from "../../brand/brand.ts";
import type { ByteSink, RenderContext } from "../format-renderer.ts";
import { pdfRenderer } from "./pdf.ts";
import {
  createTestColumns,
  createTestDefinition,
  createTestRenderRequest,
  createTestRows,
  createTestScratchFile,
} from "../rows.fixture.ts";
import { readPeakMemoryMebibytes } from "../../peak-memory.fixture.ts";

const columns = createTestColumns({
  host: "text",
  at: "timestamp",
  port: "integer",
  rate: "ratio",
  on: "boolean",
  note: "text",
  // No row has a value in this column, so the layout reads all rows before it writes the first.
  owner: "text",
});
const rows = 200_000;
const note = "words that fill the row ".repeat(5);
let written = 0;
let rowsSeen = 0;

function* wireChunks(): Generator<Buffer> {
  for (let start = 0; start < rows; start += 1000) {
    const lines = Array.from(
      { length: 1000 },
      (_, at) => `host-${start + at}.example.org,2026-11-21 01:02:03+00,${at},0.${at},t,${note}${at},\n`,
    );
    yield Buffer.from(lines.join(""));
  }
}

const sink: ByteSink = {
  async write(bytes) {
    written += bytes.length;
  },
  overwrite: async () => undefined,
};
const context: RenderContext = {
  signal: new AbortController().signal,
  onRows(rowsDone) {
    rowsSeen = rowsDone;
  },
  onRowsAhead: () => undefined,
  scratch: createTestScratchFile(),
  warn: () => undefined,
  largestSizes: new Map(),
};
const document = {
  request: createTestRenderRequest(columns, { options: { format: "pdf" } }),
  definition: createTestDefinition(columns),
  brand: defaultBrand,
};
await pdfRenderer.render(
  { ...createTestRows(columns, ""), bytes: Readable.from(wireChunks()) },
  document,
  sink,
  context,
);
process.stdout.write(JSON.stringify({ rowsSeen, written, peakMb: readPeakMemoryMebibytes() }));
