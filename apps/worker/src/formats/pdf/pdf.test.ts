import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInReportTypes, type ReportColumn, type ReportSummary, type ReportWarning } from "@reports/core/report";
import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultBrand } from "../../brand/brand.ts";
import { PdfCanvas } from "./pdf-canvas.ts";
import { createCellFormatContext } from "./cell-formatter.ts";
import { arrangeFigureCards } from "./figures.ts";
import { FontSet } from "./font-set.ts";
import { toPdfPalette } from "./pdf-palette.ts";
import { pdfRenderer } from "./pdf.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";
import { hasPdftotext, hasQpdf } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pdf-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly bytes: Buffer;
  readonly path: string;
  readonly pages: readonly string[];
  readonly table: string;
  readonly warnings: readonly ReportWarning[];
}

async function open(
  columns: readonly ReportColumn[],
  wire: string,
  given: Parameters<typeof renderToBuffer>[2] = {},
  summary?: ReportSummary,
): Promise<Opened> {
  const rows = createTestRows(columns, wire, summary === undefined ? {} : { summary });
  const { bytes, warnings } = await renderToBuffer(pdfRenderer, rows, {
    ...given,
    options: { format: "pdf", ...given.options },
  });
  const path = join(folder, `${files++}.pdf`);
  writeFileSync(path, bytes);
  execFileSync("qpdf", ["--check", path]);
  const text = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const table = text.slice(text.indexOf("All rows"));
  return { bytes, path, pages: text.split("\f").slice(0, -1), table, warnings };
}

type PdfObjects = Record<string, { readonly value?: Record<string, unknown> }>;

function objects(path: string): PdfObjects {
  const json = execFileSync("qpdf", ["--json=2", "--json-stream-data=none", path], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return (JSON.parse(json) as { qpdf: [unknown, PdfObjects] }).qpdf[1];
}

const two = createTestColumns({ name: "text", amount: "integer" });
const manyRows = Array.from({ length: 200 }, (_, at) => `row-${at},${at}\n`).join("");

describe.runIf(hasQpdf && hasPdftotext)("pdfRenderer", () => {
  test("the cover shows title, time, requester, time zone, filters and row count", async () => {
    const { pages } = await open(two, "a,1\nb,2\n", {
      title: "Quarterly inventory",
      searchParam: { health: ["DOWN"] },
      options: { timezone: "Europe/Berlin" },
    });
    for (const fact of [
      "Quarterly inventory",
      "21 November 2026, 02:02",
      "alice",
      "Europe/Berlin",
      "Health is DOWN",
      "2 rows",
    ]) {
      expect(pages[0]).toContain(fact);
    }
  });

  test("every page shows its number, and every page of the table shows the header", async () => {
    const { pages } = await open(two, manyRows);
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((page, at) => expect(page).toContain(`Page ${at + 1} of ${pages.length}`));
    for (const page of pages.slice(1)) expect(page).toMatch(/Title of name +Title of amount/);
  });

  test("a pdf shows every row once, in order", async () => {
    const { pages } = await open(two, manyRows);
    const shown = [...pages.join("").matchAll(/row-(\d+) +(\d+)/g)].map(([, name, amount]) => [name, amount]);
    expect(shown).toEqual(Array.from({ length: 200 }, (_, at) => [String(at), String(at)]));
  });

  test("a pdf formats values for the locale and distinguishes null from an empty text", async () => {
    const columns = createTestColumns({
      text: "text",
      bigint: "bigint",
      decimal: "decimal",
      ratio: "ratio",
      boolean: "boolean",
      timestamp: "timestamp",
      list: "list",
    });
    const { table } = await open(
      columns,
      'a,9007199254740993,-1234.50,0.0512,t,2026-10-25 02:30:00.5+02,"{x,""y z""}"\n"",,,,f,,{}\n',
      {
        options: { locale: "de-DE", timezone: "Europe/Berlin" },
      },
    );
    const rows = table.split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(rows).toContainEqual([
      "a",
      "9.007.199.254.740.993",
      "-1.234,50",
      "5,12 %",
      "Yes",
      "25.10.2026, 02:30 +02",
      "x, y z",
    ]);
    expect(rows).toContainEqual(["–", "–", "–", "No", "–"]);
  });

  test.each([
    "Ελληνικά Кириллица Größe",
    "平台团队 例え 한국어",
    "=HYPERLINK(1) (x) \\ end",
    "Ops 🚀 crew",
    "snow ☃ done ✓ less ≤ end",
    "Việt Nam",
    "বাংলা, which no font here can draw",
  ])("the text %s can be read and copied", async (text) => {
    const { table } = await open(createTestColumns({ name: "text" }), `"${text}"\n`);
    expect(table.normalize("NFC")).toContain(text);
  });

  test.each(["שלום", "مرحبا"])("the right-to-left text %s can be read and copied", async (text) => {
    const { table } = await open(createTestColumns({ name: "text" }), `"${text}"\n`);
    expect(table.replace(/[\u202a-\u202e]/g, "").normalize("NFKC")).toContain(text);
  });

  test("a right-to-left title does not reorder the footer", async () => {
    const { path, pages } = await open(two, "a,1\n", { title: "דוח", options: { locale: "ar-EG" } });
    const words = execFileSync("pdftotext", ["-bbox", path, "-"], { encoding: "utf8" });
    const placed = [...words.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]+)</g)].slice(-14);
    const left = (text: RegExp): number => Number(placed.find(([, , , word]) => text.test(word!))![1]);
    expect(left(/[דוח]/)).toBeLessThan(left(/01930000/));
    expect(pages[0]).toContain("Page 1 of 1");
  });

  test("English text inside right-to-left text keeps its direction", async () => {
    const { table } = await open(createTestColumns({ name: "text" }), '"שלום example.com עולם"\n');
    expect(table).toContain("example.com");
  });

  test("line feeds, control characters and lone surrogates break no row and no file", async () => {
    const { table } = await open(createTestColumns({ a: "text", b: "text" }), '"x\ny","\u0001z"\n');
    expect(table).toMatch(/x⏎y +\ufffdz/);
  });

  test("a value that does not fit ends in an ellipsis, and the document explains it", async () => {
    const { table } = await open(createTestColumns({ a: "text", b: "text" }), `${"long ".repeat(100)},b\n`);
    expect(table).toMatch(/long long +b\n.*long long.*…\n/);
    expect(table).toContain("did not fit their column");
    const fitting = await open(two, "a,1\n");
    expect(fitting.table).not.toContain("did not fit");
  });

  test("a long host name takes a second line, and its row is on one page", async () => {
    const columns = ["hostname", "other", "third"].map((key) => ({
      ...createTestColumns({ [key]: "text" })[0]!,
      keepsEnd: true as const,
    }));
    const host = (row: number): string =>
      `${String(row).padStart(3, "0")}.${"a-long-name.".repeat(row % 5 === 0 ? 6 : 2)}test`;
    const wire = Array.from({ length: 150 }, (_, row) => `${host(row)},${"other-name.".repeat(4)}test,third\n`).join(
      "",
    );
    const { pages, warnings } = await open(columns, wire, { options: { orientation: "portrait" } });
    expect(warnings).toEqual([]);
    for (const page of pages) {
      const lines = page.split("\n");
      const begun = lines.filter((line) => /\d\d[05]\.a-long-name/.test(line));
      for (const line of begun) expect(lines[lines.indexOf(line) + 1]).toMatch(/a-long-name\.test/);
    }
    expect(pages.join("\n").match(/\d\d[05]\.a-long-name/g)).toHaveLength(30);
  });

  test("texts of megabytes are shortened without being laid out completely", async () => {
    const long = 2 * 1024 * 1024;
    const { table, warnings } = await open(
      createTestColumns({ a: "text", b: "text" }),
      `${"x".repeat(long)},${"ש".repeat(long)}\n`,
    );
    expect(table).toMatch(/x+…/);
    expect(warnings).toEqual([{ code: "TEXTS_SHORTENED", message: expect.stringContaining("2 texts were shortened") }]);
  });

  test("the message of a warning stays English with plain digits in every locale", async () => {
    const options = { format: "pdf", locale: "ar-EG" } as const;
    const { warnings } = await renderToBuffer(pdfRenderer, createTestRows(two, `${"x".repeat(5_000)},1\n`), {
      options,
    });
    expect(warnings).toEqual([{ code: "TEXTS_SHORTENED", message: expect.stringMatching(/^1 text was shortened/) }]);
  });

  test("groups have bookmarks, and headings that are repeated on the next page", async () => {
    const wire = ["north", "south"]
      .map((region) => Array.from({ length: 40 }, (_, at) => `${region},${region}-${at}\n`).join(""))
      .join("");
    const { pages, path } = await open(createTestColumns({ region: "text", name: "text" }), wire, {
      options: { groupBy: "region" },
    });
    const text = pages.join("\n");
    expect(text.match(/Title of region: north +40 rows/g)?.length).toBeGreaterThan(1);
    expect(text).toContain("continued");
    expect(text).toMatch(/Title of region: south +40 rows/);
    expect([...text.matchAll(/(north|south)-\d+/g)]).toHaveLength(80);
    const titles = Object.values(objects(path)).map((object) => object.value?.["/Title"]);
    expect(titles).toEqual(expect.arrayContaining(["u:All rows", "u:north", "u:south"]));
  });

  test("equal numbers are in one group, even with different trailing zeros", async () => {
    const { pages } = await open(createTestColumns({ cost: "decimal", name: "text" }), "1.0,a\n1.00,b\n1.0,c\n2,d\n", {
      options: { groupBy: "cost" },
    });
    expect(
      pages
        .join("\n")
        .match(/Title of cost: .*/g)
        ?.map((title) => title.replace(/ +/g, " ")),
    ).toEqual(["Title of cost: 1.0 3 rows", "Title of cost: 2 1 row"]);
  });

  test.each([
    ["en", "Isolation: not known", "Isolation: Yes"],
    ["fr", "Isolation\u00A0: inconnu", "Isolation\u00A0: Oui"],
  ] as const)(
    "in %s, the heading of a group of booleans names its column, and null is %j",
    async (language, none, yes) => {
      const columns = createTestColumns({ isolation: "boolean", name: "text" }).map((column) =>
        column.key === "isolation" ? { ...column, title: "Isolation" } : column,
      );
      const { pages, path } = await open(columns, "f,a\nt,b\n,c\n", { options: { groupBy: "isolation", language } });
      const text = pages.join("\n");
      expect(text).toContain(none.replace("\u00A0", " "));
      expect(text).not.toMatch(/(No|Sans) isolation/);
      const titles = Object.values(objects(path)).map((object) => object.value?.["/Title"]);
      expect(titles).toEqual(expect.arrayContaining([`u:${yes}`, `u:${none}`]));
    },
  );

  test("a long pdf sorted by a text column has one bookmark per first letter", async () => {
    const names = Array.from({ length: 600 }, (_, at) => `${"abc"[Math.floor(at / 200)]}-${at}`);
    const wire = names.map((name) => `${name},1\n`).join("");
    const titlesOf = async (given: Parameters<typeof open>[2]): Promise<unknown[]> => {
      const { path } = await open(two, wire, given);
      return Object.values(objects(path)).map((object) => object.value?.["/Title"]);
    };
    expect(await titlesOf({ options: { sort: ["name"] } })).toEqual(expect.arrayContaining(["u:A", "u:B", "u:C"]));
    expect(await titlesOf({ options: { sort: ["amount"] } })).not.toContain("u:A");
  });

  test.each([true, false])(
    "the cover links to sections, and a list of groups to each group (tagged %s)",
    async (accessible) => {
      const wire = ["north", "south"].map((region) => `${region},a\n`.repeat(60)).join("");
      const columns = createTestColumns({ region: "text", name: "text" });
      const { path, pages } = await open(columns, wire, { options: { groupBy: "region", accessible } });
      const all = Object.values(objects(path)).flatMap(({ value }) => (value === undefined ? [] : [value]));
      const links = all.filter((value) => value["/Subtype"] === "/Link");
      const titles = ["u:All rows", "u:Grouped by: Title of region"];
      expect(links.map((link) => link["/Contents"])).toEqual(
        expect.arrayContaining([
          ...titles,
          expect.stringMatching(/^u:\W?north\W? \(1\)$/),
          expect.stringMatching(/^u:\W?south\W? \(2\)$/),
        ]),
      );
      expect(links.every((link) => "/StructParent" in link === accessible)).toBe(true);
      expect(pages.at(-1)).toMatch(/Grouped by: Title of region[^]*north[^]*south[^]*End of the report/);
    },
  );

  test("grouping by a column that the rows lack causes the warning ROWS_NOT_GROUPED", async () => {
    const { warnings } = await open(two, "a,1\n", { options: { groupBy: "region" } });
    expect(warnings).toEqual([{ code: "ROWS_NOT_GROUPED", message: expect.stringContaining("region was left out") }]);
  });

  test("a document without rows stays on its cover page and highlights no zero count", async () => {
    const definition = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
    const figures = definition.summary.figures.map((figure) => ({ tone: "neutral" as const, ...figure, value: "0" }));
    const points = Array.from({ length: 9 }, (_, at) => ({ label: String(at), tone: "bad" as const, values: [0] }));
    const charts = [{ key: "c", title: "C", series: [{ label: "", tone: "neutral" as const }], points, omitted: [] }];
    const attention = { title: "Needs action", columns: definition.columns.slice(0, 8), rows: [], total: 0 };
    const { pages } = await open(definition.columns.slice(0, 9), "", {}, { figures, charts, attention });
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain("There are no records.");
    expect(pages[0]).not.toMatch(/Needs action|Key figures|All rows/);
    const cards = arrangeFigureCards(
      new PdfCanvas(new PdfTextPen(new FontSet()), 0, toPdfPalette(defaultBrand.palette)),
      figures,
      700,
      createCellFormatContext({ locale: "en", language: "en", timezone: "UTC" }),
    );
    expect(cards.rows.flat().every(({ tone, isSigned }) => tone === "neutral" && !isSigned)).toBe(true);
  });

  test("a pdf without rows is one sentence that repeats the filters", async () => {
    const { pages } = await open(two, "", { searchParam: { health: ["DOWN", "DEGRADED"], region: ["eu"] } });
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain("0 rows");
    expect(pages[0]).toContain("No record meets the filters: Health is DOWN or DEGRADED; Region is eu.");
    expect(pages[0]).not.toContain("Title of name");
  });

  test("rows that all need action appear once, titled like the attention list", async () => {
    const attention = { title: "Look at these", columns: two, rows: [["a", "1"]], total: 2 };
    const summary = { figures: [], charts: [], attention };
    const all = await open(two, "a,1\nb,2\n", {}, summary);
    expect(all.pages[0]).toMatch(/Look at these +2 rows/);
    expect(all.pages[0]!.match(/^ *a +1$/gm)).toHaveLength(1);
    const some = await open(two, "a,1\nb,2\nc,3\n", {}, summary);
    expect(some.pages[0]).toMatch(/Look at these[^]*All rows/);
  });

  test("key figures, charts and attention list come before the rows", async () => {
    const summary: ReportSummary = {
      figures: [{ key: "down", title: "Down now", kind: "integer", value: "1234", tone: "bad" }],
      charts: [
        {
          key: "c",
          title: "Health by region",
          series: [
            { label: "Down", tone: "bad" },
            { label: "Up", tone: "good" },
          ],
          points: [{ label: "eu-west", tone: "neutral", values: [3, 14] }],
          omitted: [
            { label: "no region", value: 1087 },
            { label: "2 others", value: null },
          ],
        },
      ],
      attention: { title: "Look at these", columns: two, rows: [["urgent", "5"]], total: 9 },
    };
    const { pages } = await open(two, "a,1\n", {}, summary);
    for (const text of [
      "1,234",
      "Down now",
      "Health by region",
      "eu-west",
      "17",
      "3 / 14",
      "Not shown: no region (1,087), 2 others",
    ])
      expect(pages[0]).toContain(text);
    expect(pages[0]).toMatch(/Look at these +the first 1 of 9/);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/urgent +5[\s\S]*All rows/);
  });

  test("no page has only the last line of the report or of the attention list", async () => {
    const attended = (count: number): ReportSummary => ({
      figures: [],
      charts: [],
      attention: {
        title: "Look at these",
        columns: two,
        rows: Array.from({ length: count }, (_, at) => [`urgent-${at}`, "5"]),
        total: count,
      },
    });
    for (let count = 36; count <= 44; count += isFullTestRun ? 1 : 2) {
      const rows = Array.from({ length: count }, (_, at) => `row-${at},${at}\n`).join("");
      const { pages } = await open(two, rows, {}, attended(count));
      expect(pages.at(-1)).toMatch(/row-\d+ [\s\S]*End of the report/);
      for (const page of pages) expect(page.match(/urgent-/g)?.length).not.toBe(1);
    }
  });

  test("the last page of a long table has at least three rows", async () => {
    const wire = (count: number): string => Array.from({ length: count }, (_, at) => `row-${at},${at}\n`).join("");
    const rowsOf = (page: string | undefined): number => page?.match(/row-\d/g)?.length ?? 0;
    const { pages } = await open(two, wire(200));
    const filled = rowsOf(pages[0]) + rowsOf(pages[1]);
    for (const more of [1, 2, 3, 4]) {
      const { pages: found, table } = await open(two, wire(filled + more));
      expect(found).toHaveLength(3);
      expect(rowsOf(found[2])).toBe(Math.max(more, 3));
      expect(table.match(/row-\d/g)).toHaveLength(filled + more);
    }
  });

  test("a bar's name that does not fit on one line is complete on two lines", async () => {
    const label = "Sectigo RSA Organization Validation Secure Server CA";
    const chart = { key: "c", title: "Issuers", series: [{ label: "", tone: "neutral" }], omitted: [] } as const;
    const points = [{ label, tone: "neutral", values: [7] } as const];
    const { pages, warnings } = await open(
      two,
      "a,1\n",
      {},
      { figures: [], charts: [{ ...chart, points }], attention: null },
    );
    expect(warnings).toEqual([]);
    for (const word of label.split(" ")) expect(pages[0]).toContain(word);
  });

  test("figures and bars that do not fit on a page continue on the next", async () => {
    const figures = Array.from(
      { length: 70 },
      (_, at) => ({ key: `f${at}`, title: `Figure ${at}`, kind: "integer", value: "1", tone: "neutral" }) as const,
    );
    const points = Array.from(
      { length: 60 },
      (_, at) => ({ label: `bar-${at}`, tone: "neutral", values: [at + 1] }) as const,
    );
    const omitted = [{ label: "no region", value: 87 }];
    const charts = [
      { key: "c", title: "Many bars", series: [{ label: "", tone: "neutral" }], points, omitted },
    ] as const;
    const { pages } = await open(two, "a,1\n", {}, { figures, charts, attention: null });
    const text = pages.join("\n");
    for (const { title } of figures) expect(text).toContain(title);
    for (const { label } of points) expect(text).toContain(label);
    expect(text).toContain("Many bars (continued)");
    expect(text.match(/Not shown: no region \(87\)/g)).toHaveLength(1);
  });

  test("hundreds of filters continue on as many pages of a pdf as they need", async () => {
    const hosts = Array.from({ length: 300 }, (_, at) => `host-${at}.example.com`);
    const { pages } = await open(two, "a,1\n", { searchParam: { hostname: hosts } });
    const text = pages.join("\n");
    for (const host of hosts) expect(text).toContain(host);
  });

  test("all fonts are embedded, all text can be copied, and the title is declared", async () => {
    const { path } = await open(two, '"Ω 平 🚀 שלום",1\n', { title: "Declared" });
    const all = Object.values(objects(path)).flatMap(({ value }) => (value === undefined ? [] : [value]));
    const fonts = all.filter((value) => value["/Type"] === "/Font" && value["/Subtype"] === "/Type0");
    expect(fonts.length).toBeGreaterThan(3);
    for (const font of fonts) expect(font).toHaveProperty("/ToUnicode");
    const descriptors = all.filter((value) => value["/Type"] === "/FontDescriptor");
    expect(descriptors).toHaveLength(fonts.length);
    for (const descriptor of descriptors) expect(descriptor).toHaveProperty("/FontFile2");
    expect(all).toContainEqual(expect.objectContaining({ "/Type": "/Catalog", "/Lang": "u:en" }));
    expect(all).toContainEqual(expect.objectContaining({ "/Title": "u:Declared" }));
  });

  test("a tagged document has headings, table headers and texts for charts", async () => {
    const chart = {
      key: "c",
      title: "By region",
      series: [{ label: "", tone: "neutral" }],
      points: [{ label: "eu", tone: "neutral", values: [17] }],
      omitted: [],
    } as const;
    // pdfinfo takes seconds for the structure of 200 rows.
    const rowCount = isFullTestRun ? 200 : 40;
    const rows = manyRows.split("\n").slice(0, rowCount).join("\n");
    const summary = { figures: [], charts: [chart], attention: null };
    const { path, bytes, warnings } = await open(two, `${rows}\n`, {}, summary);
    const structure = execFileSync("pdfinfo", ["-struct-text", path], { encoding: "utf8", maxBuffer: 2 ** 28 });
    expect(structure).toMatch(/^Document\n {2}Figure|^Document\n {2}P/);
    expect(structure).toMatch(/H1 \(block\)\s+"Fixture"/);
    expect(structure).toMatch(/H2 \(block\)\s+"All rows"/);
    expect(structure).toMatch(/THead\s+TR\s+TH[\s\S]*Title of name[\s\S]*TBody\s+TR\s+TD[\s\S]*"row-0"/);
    expect(structure.match(/"row-\d+"/g)).toHaveLength(rowCount);
    expect(Object.values(objects(path)).map(({ value }) => value?.["/Alt"])).toContain(
      "u:Bar chart: By region. eu: 17.",
    );
    expect(bytes.toString("latin1")).toContain("<pdfaid:conformance>A</pdfaid:conformance>");
    expect(bytes.toString("latin1")).toContain("<pdfuaid:part>1</pdfuaid:part>");
    expect(warnings).toEqual([]);
  });

  test("an untagged document does not declare that it is tagged", async () => {
    const { path, bytes } = await open(two, manyRows, { options: { accessible: false } });
    expect(execFileSync("pdfinfo", [path], { encoding: "utf8" })).toMatch(/Tagged: +no/);
    expect(bytes.toString("latin1")).toContain("<pdfaid:conformance>U</pdfaid:conformance>");
    expect(bytes.toString("latin1")).not.toContain("pdfuaid");
  });

  test.each([
    [{}, "595 x 842"],
    [{ paper: "LETTER" }, "612 x 792"],
    [{ orientation: "landscape" }, "842 x 595"],
    [{ paper: "LETTER", orientation: "landscape" }, "792 x 612"],
  ] as const)("with the options %j, a table of two columns has pages of %s points", async (options, size) => {
    const { path } = await open(two, "a,1\n", { options });
    expect(execFileSync("pdfinfo", [path], { encoding: "utf8" })).toContain(`Page size:       ${size}`);
  });

  const [count, maxPages] = isFullTestRun ? [2500, 80] : [500, 16];
  test(`${count} domains take at most ${maxPages} pages, with one line per row`, async () => {
    const { columns: all, pdfColumns } = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
    const columns = pdfColumns.map((key) => all.find((column) => column.key === key)!);
    const values: Readonly<Record<string, string>> = {
      hostname: "tracking.umbra-logistics.example.net",
      proxyName: "gru-stream-0057",
      proxyEnvironment: "PROD",
      status: "SUSPENDED",
      upstream: "https://node-2452.internal.example:8443",
      certNotAfter: "2026-09-14 14:34:21+00",
      daysLeft: "-328",
      severity: "CRITICAL",
      issues: '"{CERT_EXPIRED,HSTS_MISSING,PROXY_DISABLED}"',
    };
    const row = `${columns.map(({ key }) => values[key]).join(",")}\n`;
    const { pages, table } = await open(columns, row.repeat(count), { options: { accessible: false } });
    expect(pages.length).toBeLessThanOrEqual(maxPages);
    expect(table.match(/^.*example\.net.*14 Sept 2026, 14:34 +expired 328 days ago +Critical.*$/gm)).toHaveLength(
      count,
    );
  });

  test("a column without any value is left out, and one sentence names it", async () => {
    const columns = createTestColumns({ name: "text", owner: "text", tags: "list", amount: "integer" });
    const { table, pages } = await open(columns, "a,,{},1\n".repeat(60));
    expect(table.match(/Title of owner/g)).toHaveLength(1);
    expect(table).toContain("No row has a value for: Title of owner, Title of tags.");
    expect(pages.at(-1)).toMatch(/Title of name +Title of amount/);
    expect((await open(columns, "a,b,{},1\na,,{x},1\n")).table).toMatch(/Title of name +Title of owner +Title of tags/);
  });

  test.each([true, false])("each card of a wide report names its values (tagged %s)", async (accessible) => {
    const { columns } = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
    const values = { boolean: "t", list: "{x}", timestamp: "2026-01-02 03:04:05+00" } as const;
    const row = columns.map(({ kind, key }) => (kind === "text" ? key : (values[kind as "list"] ?? "1"))).join(",");
    // pdfinfo takes seconds for the structure of thirty cards.
    const cards = accessible && !isFullTestRun ? 3 : 30;
    const { table, path } = await open(columns, `${row}\n`.repeat(cards), { options: { accessible } });
    expect(table.match(/HTTPS forced +Yes/g)).toHaveLength(cards);
    expect(table.match(/Host name +hostname$/gm)).toHaveLength(cards);
    if (!accessible) return;
    const structure = execFileSync("pdfinfo", ["-struct-text", path], { encoding: "utf8", maxBuffer: 2 ** 28 });
    expect(structure.match(/"HTTPS forced"/g)).toHaveLength(1);
    expect(structure.match(/"Yes"/g)).toHaveLength(3 * cards);
  });

  test("the footer of every page has the brand, the time of the data and the time zone", async () => {
    const brand = { ...defaultBrand, name: "Acme", footer: "Confidential" };
    const { pages } = await open(two, manyRows, { brand, options: { timezone: "Europe/Berlin" } });
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) {
      expect(page).toContain("Acme · Data as of 21 November 2026, 02:02 · Time zone Europe/Berlin");
      expect(page).toMatch(/Fixture +· +01930000-0000-7000-8000-000000000001/);
      expect(page.trimEnd()).toMatch(/Confidential$/);
    }
  });

  test("the first page names the requester, but the author of the file is the brand", async () => {
    const requestedBy = "https://issuer.example|somebody";
    const { path, pages } = await open(two, "a,1\n", { requestedBy, title: "Declared" });
    expect(pages[0]).toContain("issuer.example");
    for (const what of [[], ["-meta"]]) {
      const info = execFileSync("pdfinfo", [...what, path], { encoding: "utf8" });
      expect(info).toContain("Declared");
      expect(info).not.toMatch(/issuer\.example|somebody/);
      expect(info).toMatch(/Author: +Report Gateway|<dc:creator><rdf:Seq><rdf:li>Report Gateway</);
    }
  });

  test("the same rows and request give the same bytes of a pdf", async () => {
    const [first, second] = [await open(two, manyRows), await open(two, manyRows)];
    expect(first.bytes.equals(second.bytes)).toBe(true);
  });

  test.each(builtInReportTypes)("every column of $type has its title and value in the table", async ({ columns }) => {
    const values: Partial<Record<string, string>> = {
      boolean: "t",
      timestamp: "2026-01-02 03:04:05+00",
      ratio: "0.5",
      list: "{tag}",
      text: "text",
      integer: "4",
      bigint: "5",
    };
    const { table: shown } = await open(columns, `${columns.map(({ kind }) => values[kind]).join(",")}\n`);
    const table = shown.replace(/\s+/g, " ");
    for (const { title } of columns) for (const word of title.split(" ")) expect(table).toContain(word);
    expect(table.match(/2 Jan 2026, 03:04\b/g)).toHaveLength(columns.filter(({ kind }) => kind === "timestamp").length);
    expect(table.match(/50\.00%/g)).toHaveLength(columns.filter(({ kind }) => kind === "ratio").length);
    expect(table.match(/\bYes\b/g) ?? []).toHaveLength(columns.filter(({ kind }) => kind === "boolean").length);
  });
});
