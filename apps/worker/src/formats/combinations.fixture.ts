import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInReportTypes, createCatalogue, startInputFromQuery } from "@reports/core/report";
import {
  generateDemoInventory,
  startPostgres,
  throwAwayPostgresSettings,
  createDemoDataLoader,
} from "@reports/testing";
import { defaultBrand, type Brand } from "../brand/brand.ts";
import { createPalette } from "../brand/palette.ts";
import { readLogo } from "../brand/read-logo.ts";
import { composeRenderFunction } from "../renderer/compose-render-function.ts";
import { findPdfDefects } from "./pdf/pdf-faults.fixture.ts";
import { setLibreOfficeProfileFolder } from "./readers.fixture.ts";
import { findWorkbookDefects } from "./xlsx/workbook-faults.fixture.ts";

/**
 * Renders reports of demo data in combinations of type, columns, groups, rows, paper, brand and language, and checks each file with other programs.
 * Prints the path of each pdf with the profiles that it must pass. Arguments: the folder, the rows of long documents, and `pairs` for a selection
 * with every pair of values, or `all`.
 */
const [folder = ".", longRows = "20000", selection = "pairs"] = process.argv.slice(2);
const rowsOfLong = Number(longRows);

const values = {
  format: ["pdf", "xlsx"],
  type: ["PROXY", "PROXY_DOMAIN"],
  columns: [6, 10, 22],
  isGrouped: [false, true],
  rows: [0, 1, rowsOfLong],
  paper: ["A4", "LETTER"],
  brand: ["default", "own"],
  locale: ["en", "de", "fr", "ar", "ja"],
} as const;
const reportId = "01930000-0000-7000-8000-000000000001";
type Axis = keyof typeof values;
type Combination = { readonly [Each in Axis]: (typeof values)[Each][number] };
const axes = Object.keys(values) as readonly Axis[];

const groupColumns = {
  PROXY: ["region", "health", "kind"],
  PROXY_DOMAIN: ["proxyRegion", "severity", "certIssuer"],
} as const;
const inventory = generateDemoInventory({ proxies: rowsOfLong, domains: rowsOfLong });
const filtersOfOne = {
  PROXY: ["searchParam[name]", Iterator.from(inventory.proxies).take(1).toArray()[0]!.name],
  PROXY_DOMAIN: ["searchParam[hostname]", Iterator.from(inventory.domains).take(1).toArray()[0]!.hostname],
} as const;

function combine(): readonly Combination[] {
  return axes.reduce<readonly Combination[]>(
    (made, axis) => made.flatMap((one) => values[axis].map((value) => ({ ...one, [axis]: value }))),
    [{} as Combination],
  );
}

function pairsOf(combination: Combination): readonly string[] {
  return axes.flatMap((first, at) =>
    axes.slice(at + 1).map((second) => `${first} ${combination[first]} ${second} ${combination[second]}`),
  );
}

function selectPairs(all: readonly Combination[]): readonly Combination[] {
  const missing = new Set(all.flatMap(pairsOf));
  const count = (one: Combination): number => pairsOf(one).filter((pair) => missing.has(pair)).length;
  const selected: Combination[] = [];
  while (missing.size > 0) {
    const best = all.reduce((most, one) => (count(one) > count(most) ? one : most));
    for (const pair of pairsOf(best)) missing.delete(pair);
    selected.push(best);
  }
  return selected;
}

async function createOwnBrand(): Promise<Brand> {
  const path = join(folder, "logo.svg");
  await writeFile(
    path,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="80" height="40"><circle cx="5" cy="5" r="4" fill="#7A1F5C"/></svg>',
  );
  return {
    name: "Acme & Söhne",
    footer: "Vertraulich – nur für den internen Gebrauch",
    palette: createPalette("FFB000"),
    logo: await readLogo(path),
  };
}

function languageOf({ locale }: Combination): "en" | "de" | "fr" {
  return locale === "de" || locale === "fr" ? locale : "en";
}

function columnsOf({ type, columns: count }: Combination): readonly string[] {
  const { columns, pdfColumns } = builtInReportTypes.find((definition) => definition.type === type)!;
  const keys = columns.map(({ key }) => key);
  return [...new Set(count === 22 ? keys : [...pdfColumns, ...keys])].slice(0, count);
}

function queryOf(one: Combination, at: number): [string, string][] {
  return [
    ...(one.rows === rowsOfLong ? [] : [one.rows === 0 ? ["searchParam[q]", "no-such-name"] : filtersOfOne[one.type]]),
    ["format", one.format],
    ["columns", columnsOf(one).join(",")],
    ["timezone", one.locale === "ja" ? "Asia/Tokyo" : "Europe/Berlin"],
    ["language", languageOf(one)],
    ["locale", one.locale],
    ["paper", one.paper],
    ...(one.isGrouped ? [["groupBy", groupColumns[one.type][at % 3]!]] : []),
  ] as [string, string][];
}

async function renderAndRead(
  one: Combination,
  spoolPath: string,
  query: [string, string][],
  source: string,
): Promise<string[]> {
  const definition = builtInReportTypes.find(({ type }) => type === one.type)!;
  const brand = one.brand === "default" ? defaultBrand : ownBrand;
  const render = composeRenderFunction(createCatalogue(builtInReportTypes), {
    sources: { main: { url: source, engine: "postgres" } },
    csvFormulaGuard: true,
    brand,
    reportTypes: { builtIn: true, modules: [], directory: folder },
  });
  const now = new Date().toISOString();
  const { title, searchParam, options } = startInputFromQuery(definition, query, new Date());
  await rm(spoolPath, { force: true });
  const { rowCount } = await render(
    {
      reportId,
      attempt: 1,
      reportType: one.type,
      title,
      requestedBy: "basic:alice",
      requesterName: "Ann Example",
      createdAt: now,
      now,
      searchParam,
      options,
      spoolPath,
      maxSpoolBytes: 2 ** 31,
      maxRows: 1_000_000,
      runTimeLimitMs: 600_000,
      keptRowsPath: null,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  return [
    ...(rowCount === one.rows ? [] : [`${rowCount} rows`]),
    ...(one.format === "pdf"
      ? await findPdfDefects(spoolPath, { ...one, language: languageOf(one), brand, reportId })
      : await findWorkbookDefects(spoolPath, one)),
  ];
}

await mkdir(folder, { recursive: true });
setLibreOfficeProfileFolder(folder);
const ownBrand = await createOwnBrand();
const server = await startPostgres({ settings: throwAwayPostgresSettings });
try {
  await createDemoDataLoader({ proxies: rowsOfLong, domains: rowsOfLong })(server.url);
  const all = combine();
  const chosen =
    selection === "all"
      ? all
      : values.format.flatMap((format) => selectPairs(all.filter((one) => one.format === format)));
  process.stderr.write(`Rendering and reading ${chosen.length} of ${all.length} combinations.\n`);
  for (const [at, one] of chosen.entries()) {
    const path = join(folder, `${at + 1}.${one.format}`);
    const faults = await renderAndRead(one, path, queryOf(one, at), server.url);
    const described = `${at + 1} ${Object.values(one).join(" ")}`;
    process.stderr.write([described, ...faults.map((fault) => `  FAULT: ${fault}`), ""].join("\n"));
    if (faults.length > 0) process.exitCode = 1;
    if (one.format === "pdf") process.stdout.write(`ua1,2a ${path}\n`);
  }
} finally {
  await server.stop();
}
// The readers in Python would keep the process running.
process.exit();
