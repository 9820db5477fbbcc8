import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import {
  builtInReportTypes,
  languages,
  type ColumnKind,
  type ReportColumn,
  type ReportSummary,
  type RowStream,
} from "@reports/core/report";
import { defaultBrand, type Brand } from "../../brand/brand.ts";
import { createPalette } from "../../brand/palette.ts";
import { readLogo } from "../../brand/read-logo.ts";
import { columnsOfEveryKind, everyValueRows, everyValueTimezone, buildEveryValueWire } from "../every-value.fixture.ts";
import type { DocumentInput } from "../format-renderer.ts";
import {
  createTestColumns,
  createTestDefinition,
  createTestRenderRequest,
  createTestRows,
  createTestScratchFile,
} from "../rows.fixture.ts";
import { pdfRenderer } from "./pdf.ts";

/**
 * Writes sample documents of all variants into a folder, for an external PDF validator. Prints for each its path and the profiles that it must pass.
 * The last document is untagged, so accessibility profiles must reject it. Arguments: the folder, and the number of rows of long documents.
 */
const [folder = ".", longRows = "5000"] = process.argv.slice(2);

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="80" height="40"><circle cx="5" cy="5" r="4" fill="#7A1F5C"/></svg>`;
const sampleTexts = {
  hostile: [
    "plain",
    '""',
    '"a ""b"", <c>&"',
    "\u0001\uFFFE\uE000",
    "👩‍💻 🚀",
    "বাংলা",
    "e\u0301\u0323",
    `"${"long, ".repeat(60)}"`,
    "",
  ],
  ar: ["مرحبا بالعالم", "فريق الشبكة", "www.مثال.example"],
  he: ["שלום עולם", "צוות רשת", "שלום example.com עולם"],
  zh: ["平台团队", "例え・エッジ", "한국어"],
  de: ["Größe & Übung", "Straßenverkehrsamt", "ẞ"],
};

const sampleValues: Readonly<Record<Exclude<ColumnKind, "text">, readonly string[]>> = {
  integer: ["0", "-1", "9007199254740991", ""],
  bigint: ["9223372036854775807", "12", ""],
  decimal: ["-0.10", "12345678901234567.89", ""],
  ratio: ["0.5", "0.000001", ""],
  bytes: ["16500000000000", "512", ""],
  duration: ["93784.5", "-0.25", "360000000", ""],
  boolean: ["t", "f", ""],
  timestamp: ["2026-10-25 00:30:00.123+00", "infinity", ""],
  date: ["2026-02-28", ""],
  time: ["08:30:00", "24:00:00", ""],
  list: ['"{a,""b c""}"', "{}", ""],
};

function createWireRows(columns: readonly ReportColumn[], rows: number, words: readonly string[]): string {
  const valueAt = ({ kind }: ReportColumn, at: number): string => {
    const own = kind === "text" ? words : sampleValues[kind];
    return own[at % own.length]!;
  };
  const lines = Array.from({ length: rows }, (_, row) =>
    columns.map((column, at) => valueAt(column, row + at)).join(","),
  );
  return lines.map((line) => `${line}\n`).join("");
}

function createSummary(columns: readonly ReportColumn[], words: readonly string[]): ReportSummary {
  const label = words[0]!;
  const tones = ["good", "warn", "bad", "muted", "neutral"] as const;
  const points = tones.map((tone, at) => ({ label: `${label} ${at}`, tone, values: [at * 1000] }));
  const attended = columns.slice(0, 6);
  return {
    figures: tones.map((tone) => ({ key: tone, title: label, kind: "bigint", value: "1278311137", tone })),
    charts: [
      { key: "one", title: label, series: [{ label: "", tone: "neutral" }], points, omitted: [{ label, value: 3 }] },
      {
        key: "two",
        title: "Two",
        series: [
          { label: "A", tone: "bad" },
          { label: "B", tone: "warn" },
        ],
        points: [{ label, tone: "neutral", values: [3, 4] }],
        omitted: [],
      },
    ],
    attention: {
      title: label,
      columns: attended,
      rows: [attended.map(({ kind }) => (kind === "text" ? label : null))],
      total: 7,
    },
  };
}

interface SampleDocument {
  readonly name: string;
  readonly type: "PROXY" | "PROXY_DOMAIN";
  readonly columns?: number;
  readonly rows?: number;
  readonly language?: keyof typeof sampleTexts;
  readonly options?: Parameters<typeof createTestRenderRequest>[1] extends
    | { readonly options?: infer Options }
    | undefined
    ? Options
    : never;
  readonly brand?: Brand;
}

async function writeSample({
  name,
  type,
  columns: count,
  rows = 30,
  language = "hostile",
  options = {},
  brand = defaultBrand,
}: SampleDocument): Promise<string> {
  const definition = builtInReportTypes.find((candidate) => candidate.type === type)!;
  const columns = definition.columns.slice(0, count ?? 10);
  const words = sampleTexts[language];
  const given = {
    title: words[0]!.replaceAll('"', ""),
    reportType: type,
    options: { format: "pdf", ...options },
  } as const;
  const summary = createSummary(columns, words);
  return writeDocument(
    name,
    createTestRows(columns, createWireRows(columns, rows, words), { summary, rowsTotal: rows }),
    {
      request: createTestRenderRequest(columns, given),
      definition,
      brand,
    },
  );
}

async function writeDocument(name: string, rows: RowStream, document: DocumentInput): Promise<string> {
  const path = join(folder, `${name}.pdf`);
  const out = createWriteStream(path);
  await pdfRenderer.render(
    rows,
    document,
    { write: async (bytes) => void out.write(Buffer.from(bytes)), overwrite: async () => undefined },
    {
      signal: new AbortController().signal,
      onRows: () => undefined,
      onRowsAhead: () => undefined,
      scratch: createTestScratchFile(),
      warn: () => undefined,
      largestSizes: new Map(),
    },
  );
  out.end();
  await finished(out);
  return path;
}

async function writeEveryValue(accessible: boolean): Promise<string> {
  const rows = createTestRows(columnsOfEveryKind, buildEveryValueWire(), { rowsTotal: everyValueRows.length });
  const options = { format: "pdf", accessible, timezone: everyValueTimezone } as const;
  const document = {
    request: createTestRenderRequest(columnsOfEveryKind, { options }),
    definition: createTestDefinition(columnsOfEveryKind),
    brand: defaultBrand,
  };
  return writeDocument(accessible ? "every-value" : "untagged-every-value", rows, document);
}

async function writeLinks(accessible: boolean): Promise<string> {
  const columns = createTestColumns({ ticket: "text", state: "text", url: "text" }).map((column) =>
    column.key === "state" ? column : { ...column, link: { column: "url" } },
  );
  const texts = ["T-1", "A longer name of a ticket, which takes a second line in its column", "مرحبا بالعالم"];
  const wire = Array.from(
    { length: 90 },
    (_, row) => `"${texts[row % texts.length]}",OPEN,https://example.com/${row}?a=(b)\n`,
  ).join("");
  const definition = createTestDefinition(columns);
  return writeDocument(accessible ? "links" : "untagged-links", createTestRows(columns, wire, { rowsTotal: 90 }), {
    request: createTestRenderRequest(columns, { options: { format: "pdf", accessible } }),
    definition,
    brand: defaultBrand,
  });
}

const logoPath = join(folder, "logo.svg");
await writeFile(logoPath, logo);
const otherBrand: Brand = {
  name: "Northwind Edge",
  footer: "Confidential",
  palette: createPalette("FFD700"),
  logo: await readLogo(logoPath),
};
const longRowCount = Number(longRows);

const reportTypes = ["PROXY", "PROXY_DOMAIN"] as const;
const taggedSamples: readonly SampleDocument[] = [
  ...reportTypes.flatMap((type) =>
    [6, 10, 22].flatMap((columns) => [
      { name: `${type}-${columns}`, type, columns },
      {
        name: `${type}-${columns}-groups`,
        type,
        columns,
        options: { groupBy: type === "PROXY" ? "kind" : "proxyName" },
      },
    ]),
  ),
  ...(["ar", "he", "zh", "de"] as const).map((language): SampleDocument => ({
    name: language,
    type: "PROXY",
    language,
    options: { locale: language },
  })),
  ...languages.slice(1).map((language): SampleDocument => ({
    name: `words-${language}`,
    type: "PROXY_DOMAIN",
    options: { language, locale: language },
  })),
  { name: "none", type: "PROXY", rows: 0 },
  { name: "one", type: "PROXY_DOMAIN", rows: 1, options: { paper: "LETTER" } },
  {
    name: "portrait",
    type: "PROXY",
    columns: 3,
    options: { paper: "LETTER", orientation: "portrait" },
    brand: otherBrand,
  },
  { name: "brand", type: "PROXY_DOMAIN", options: { orientation: "landscape" }, brand: otherBrand },
  { name: "long", type: "PROXY_DOMAIN", rows: longRowCount, options: { accessible: true } },
];
const untaggedSamples: readonly SampleDocument[] = [
  ...(["hostile", "ar", "he", "zh"] as const).map((language): SampleDocument => ({
    name: `untagged-${language}`,
    type: "PROXY",
    language,
    columns: 22,
    options: { accessible: false },
  })),
  { name: "untagged-brand", type: "PROXY", options: { accessible: false }, brand: otherBrand },
];
const printTagged = (path: string): void => void process.stdout.write(`ua1,2a ${path}\n`);
const printUntagged = (path: string): void => void process.stdout.write(`2u ${path}\n`);
for (const sample of taggedSamples) printTagged(await writeSample(sample));
printTagged(await writeEveryValue(true));
printTagged(await writeLinks(true));
for (const sample of untaggedSamples) printUntagged(await writeSample(sample));
printUntagged(await writeEveryValue(false));
printUntagged(await writeLinks(false));
process.stdout.write(
  `not:ua1 ${await writeSample({ name: "untagged", type: "PROXY", options: { accessible: false } })}\n`,
);
