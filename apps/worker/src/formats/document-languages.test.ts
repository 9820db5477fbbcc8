import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Filter } from "@reports/core/query";
import { languages, type Language, type ReportSummary } from "@reports/core/report";
import { isFullTestRun } from "@reports/testing";
import { expect, test } from "vitest";
import { renderAndReadPdf } from "./pdf/rendered-pdf.fixture.ts";
import { formatNoRowsSentence } from "./select-relevant-summary.ts";
import { hasPdftotext, hasPython, runPythonProgram } from "./readers.fixture.ts";
import {
  emptySummary,
  renderToBuffer,
  createTestColumns,
  createTestDefinition,
  createTestRenderRequest,
  createTestRows,
} from "./rows.fixture.ts";
import { getWords, wordTables } from "./words/words.ts";
import { xlsxRenderer } from "./xlsx/xlsx.ts";

// Keys and titles are invented words, which no language table contains.
const columns = createTestColumns({ qaa: "text", qab: "boolean", qac: "text", qad: "integer", qae: "text" }).map(
  (column) => ({
    ...column,
    title: column.key.toUpperCase(),
    ...(column.key === "qad" && ({ daysUntil: "expiry" } as const)),
    ...(column.key === "qac" && { titles: { QG: "QG" }, meanings: { QG: "QM" } }),
  }),
);
const filters: readonly Filter[] = [
  { name: "qba", operator: "in", value: "text", columns: ["qaa"] },
  { name: "qbb", operator: "contains", value: "text", columns: ["qaa", "qac"] },
  { name: "qbc", operator: "suffix", value: "hostname", columns: ["qaa"] },
  { name: "qbd", operator: "serves", value: "hostname", columns: ["qaa"] },
  { name: "qbe", operator: "has", value: "text", columns: ["qaa"] },
  { name: "qbf", operator: "from", value: "integer", columns: ["qaa"] },
  { name: "qbg", operator: "to", value: "integer", columns: ["qaa"] },
  { name: "qbh", operator: "from", value: "timestamp", columns: ["qaa"] },
  { name: "qbi", operator: "to", value: "timestamp", columns: ["qaa"] },
  { name: "qbj", operator: "in", value: "boolean", columns: ["qab"] },
  { name: "qbk", operator: "notIn", value: "text", columns: ["qaa"] },
  { name: "qbl", operator: "empty", value: "boolean", columns: ["qaa"] },
  { name: "qbn", operator: "from", value: "time", columns: ["qaa"] },
  { name: "qbo", operator: "to", value: "time", columns: ["qaa"] },
  { name: "qbm", operator: "empty", value: "boolean", columns: ["qab"] },
].map((filter) => ({ ...filter, description: "QX" }) as Filter);
const searchParam = {
  qba: ["QY", "QZ"],
  qbb: "QY",
  qbc: ["QY"],
  qbd: ["QY"],
  qbe: ["QY"],
  qbf: 2,
  qbg: 9,
  qbh: "2026-01-01T00:00:00Z",
  qbi: "2026-02-01T00:00:00Z",
  qbj: [true, false],
  qbk: ["QY"],
  qbn: "08:30:00",
  qbo: "17:30:00",
  qbl: true,
  qbm: false,
};
const definition = {
  ...createTestDefinition(columns),
  title: "QT",
  description: "QD",
  filters,
  summary: {
    figures: [
      { key: "qfa", title: "QFA", kind: "integer", aggregate: { kind: "count" } },
      { key: "qfb", title: "QFB", kind: "duration", aggregate: { kind: "sum", column: "qad" } },
    ],
    subtotals: ["qfa"],
    charts: [{ key: "qca", title: "QCA", categories: { column: "qaa", top: 30 }, measure: { kind: "count" } }],
  },
} as const;
const bars = Array.from({ length: 30 }, (_, at) => ({ label: `QL${at}`, tone: "neutral", values: [1] }) as const);
const omitted = ["no qaa", "QAB: not known", "3 others", "more than 10,000 different values"].map((label) => ({
  label,
  value: 3,
}));
const summary: ReportSummary = {
  figures: [
    { key: "qfa", title: "QFA", kind: "integer", value: "3", tone: "neutral" },
    { key: "qfb", title: "QFB", kind: "duration", value: "90061", tone: "neutral" },
  ],
  charts: [
    { key: "qca", title: "QCA", series: [{ label: "QCA", tone: "neutral" }], points: bars, omitted },
    { key: "qcb", title: "QCB", series: [{ label: "QCB", tone: "neutral" }], points: [], omitted: [] },
  ],
  attention: { title: "QAT", columns, rows: [["QV", "t", "QV", "-1", "QV"]], total: 3 },
};
const long = "Q".repeat(900);
const lines = Array.from({ length: 15 }, (_, at) => `QV${at},${at % 2 === 0 ? "t" : "f"},QG,${at - 3},\n`).join("");
const wire = `${long},t,QG,0,\n${lines}QV,t,"",0,\nQV,f,,,\n`;

/** Words in bookmarks and alternative texts of a pdf, which pdftotext (poppler) does not print. */
const unprinted = new Set<string>(["charts", "barChart"]);

async function readDocuments(language: Language): Promise<string> {
  const given = { definition, title: "QR", requestedBy: "basic:qu" };
  const options = { language, sort: ["-qaa"], timezone: "Europe/Berlin" } as const;
  const grouped = { ...given, searchParam, summary, options: { ...options, groupBy: "qac" } };
  const nothing = { ...emptySummary, attention: { ...summary.attention!, rows: [], total: 0 } };
  const pdfs = [
    await renderAndReadPdf(columns, wire, grouped),
    await renderAndReadPdf(columns, "QV,t,QG,1,\n", { ...given, summary: nothing, options }),
  ];
  const withoutRows = [{}, { qba: ["QY"] }, { qba: ["Q".repeat(400)] }].map((filter) =>
    formatNoRowsSentence(
      { request: createTestRenderRequest(columns, { searchParam: filter, options }), definition },
      getWords(language),
    ),
  );
  const warnings = [{ code: "DATA_BEHIND", message: "QW" }] as const;
  const rows = { ...createTestRows(columns, wire, { summary }), warnings };
  const { bytes } = await renderToBuffer(xlsxRenderer, rows, {
    ...given,
    options: { ...options, groupBy: "qac", format: "xlsx" },
  });
  const folder = mkdtempSync(join(tmpdir(), "document-languages-"));
  try {
    const path = join(folder, "report.xlsx");
    writeFileSync(path, bytes);
    const program = `
import html,json,re,sys,zipfile
file = zipfile.ZipFile(sys.argv[1])
names = [n for n in file.namelist() if re.search('worksheets/sheet|charts/|workbook.xml$', n)]
xml = ' '.join(file.read(n).decode() for n in names)
xml = re.sub('<sheet name="([^"]*)"', r'\\1 ', xml)
print(json.dumps(html.unescape(re.sub('<[^>]*>', ' ', xml)).replace('&9', ' ')))`;
    const sheets = (await runPythonProgram(program, path)) as string;
    return [...pdfs.flatMap(({ pages, structure }) => [...pages, structure]), sheets, ...withoutRows]
      .join(" ")
      .replaceAll(/\s+/g, " ");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fragmentsOf(language: Language): ReadonlyMap<string, readonly string[]> {
  const { texts, counted } = wordTables[language];
  const forms = Object.entries(counted).map(([key, { other }]) => [key, other] as const);
  return new Map(
    [...Object.entries(texts), ...forms].map(([key, text]) => [
      key,
      text
        .split(/\{\w+\}/)
        .map((part) => part.replaceAll(/\s+/g, " ").replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, ""))
        .filter((part) => part !== ""),
    ]),
  );
}

function isIn(text: string, fragment: string): boolean {
  return RegExp(
    `(?<![\\p{L}\\p{N}])${fragment.replaceAll(/[^\p{L}\p{N}]/gu, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`)}(?![\\p{L}\\p{N}])`,
    "u",
  ).test(text);
}

// One language shows each text that the code does not take from the table of its language. words.test.ts compares all tables.
test.runIf(hasPdftotext && hasPython).each(isFullTestRun ? languages : (["pl"] as const))(
  "documents in the language %s have all of its words and none of English",
  async (language) => {
    const text = await readDocuments(language);
    // A document contains only one plural form of each counted text, so the other forms are not expected.
    const own = fragmentsOf(language);
    const missing = [...own].filter(
      ([key, parts]) =>
        !(key in wordTables.en.counted) && !unprinted.has(key) && !parts.every((part) => isIn(text, part)),
    );
    expect(missing).toEqual([]);
    if (language === "en") return;
    const { texts, counted } = wordTables[language];
    const words = [...Object.values(texts), ...Object.values(counted).flatMap((forms) => Object.values(forms))].join(
      " | ",
    );
    const foreign = [...fragmentsOf("en").values()].flat().filter((part) => !isIn(words, part) && isIn(text, part));
    expect(foreign).toEqual([]);
  },
);
