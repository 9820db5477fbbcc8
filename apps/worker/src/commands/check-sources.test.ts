import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reportFormats } from "@reports/core/report";
import {
  createTestDatabases,
  installReportTypePackages,
  isFullTestRun,
  readSourceStartVariables,
} from "@reports/testing";
import { importReportTypes } from "@reports/type-loader";
import { UsageError } from "@reports/type-loader/deployment";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SourceCheckResult } from "../check-types/check-sources.ts";
import { runSourceCheck } from "../check-types/compose-source-check.ts";

vi.setConfig({ testTimeout: 120_000 });

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const example = fileURLToPath(new URL("../../../../examples/acme-reports/", import.meta.url));

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;
let packages: Awaited<ReturnType<typeof installReportTypePackages>>;
let folder: string;

const shops = `
  import { defineReportTypes } from "@reports/core/report-type";
  const columns = [{ key: "name", title: "Name", kind: "text" }];
  const name = { column: "name", type: "text" };
  const view = (view, more = {}) => ({ kind: "view", view, id: "id", columns: { name }, ...more });
  const type = (type, rows, more = {}) => ({ authority: "REPORT_" + type, definition: { type, version: 1, title: type, columns, rows, ...more } });
  const filter = { name: "name", operator: "in", value: "text", columns: ["name"], description: "Names." };
  const least = { name: "least", value: "integer", description: "Least id." };
  const wrong = view("shop.parts", { columns: { name: { ...name, column: "nam" }, size: { column: "size", type: "text" } } });
  const objects = (rows) => ({ kind: "objects", rows });
  export const one = [
    type("WRONG", wrong, { filters: [{ ...filter, valuesFrom: { view: "shop.names", column: "name" } }] }),
    type("ABSENT", view("shop.parts_since", { parameters: [least, { name: "day", value: "date", description: "Day." }] })),
    type("CALLED", view("shop.parts_since", { parameters: [least] }), { filters: [filter], formats: { csv: {} } }),
    type("REFUSED", view("shop.broken"), { formats: { csv: {} } }),
    type("AWAY", objects(async function* () { console.log("printed"); throw new Error("no service at " + process.env.URL + process.env.TYPES_KEY); })),
    type("BAD_CELL", objects(async function* () { yield { name: 5n }; })),
  ];
  export const many = [
    type("BIG", view("shop.big"), { filters: [filter, { ...filter, name: "id", columns: ["id"], value: "integer" }], formats: { csv: {} },
      rows: view("shop.big", { columns: { name, id: { column: "id", type: "integer" } } }), defaultSort: [{ key: "name" }] }),
    type("EDGE", view("shop.parts", { source: "edge" }), { formats: { csv: {} } }),
  ];`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-sources-"));
  clone = await cloneDatabase();
  client = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(await readFile(join(example, "sql/invoices.sql"), "utf8"));
  await client.unsafe(`create schema shop; create table shop.parts (id integer, name text, size integer);
    insert into shop.parts values (1, 'secret of Ada', 3), (2, 'secret of Bo', 4);
    create function shop.parts_since(first_id integer) returns setof shop.parts stable language sql as $$ select * from shop.parts where id >= first_id $$;
    create table shop.big as select i as id, 'part ' || i as name from generate_series(1, 150000) i;
    create index big_id on shop.big (id);
    create view shop.broken as select id, name from shop.parts where 1 / (size - 3) >= 0;
    analyze`);
  const choose = (name: string): string => `${shops} export default defineReportTypes(${name});`;
  packages = await installReportTypePackages({ one: choose("one"), many: choose("many") });
  await packages.install("acme", "");
  for (const name of await readdir(join(example, "src"))) {
    const source = stripTypeScriptTypes(await readFile(join(example, "src", name), "utf8"));
    await writeFile(join(packages.directory, "node_modules/acme", name.replace(/ts$/, "js")), source);
  }
});
afterAll(async () => {
  await client.end();
  await clone[Symbol.asyncDispose]();
  await packages[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function check(args: readonly string[], environment: Readonly<Record<string, string>> = { URL: clone.url }) {
  const path = fileURLToPath(new URL("check-report-types.ts", import.meta.url));
  return new Promise<{ code: number | null; out: string; stderr: string }>((resolve) => {
    const env = {
      PATH: process.env["PATH"],
      ...readSourceStartVariables(),
      REPORT_TYPES_DIR: packages.directory,
      ...environment,
    };
    const child = execFile(
      process.execPath,
      ["--conditions=@reports/source", path, ...args],
      { env },
      (_, out, stderr) => resolve({ code: child.exitCode, out, stderr }),
    );
  });
}

const filesOf = (text: string) =>
  [...text.matchAll(/^ {2}file {5}(\S+) +([\d,]+) rows? +[\d,]+ bytes$/gm)].map(([, name, rows]) => `${name} ${rows}`);

test("check-sources renders the view's real rows of a correct type in every format", async () => {
  const out = join(folder, "fits");
  const {
    code,
    out: text,
    stderr,
  } = await check(["acme", "--source", "env:URL", "--out", out, "--where", "region=EMEA"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [invoices = "", stock = ""] = text.split("STOCK_LEVEL (version 1)");
  const variants = ["en-GB.UTC", "de-DE.America-New_York"];
  const names = variants.flatMap((variant) => reportFormats.map((format) => `${variant}.${format}`));
  // A third of the 2,000 sample invoices (666) is in the region EMEA. Seven of them are removed invoices, which the report omits.
  expect(filesOf(invoices)).toEqual(names.map((name) => `INVOICE.${name} 659`));
  expect(filesOf(stock)).toEqual(names.map((name) => `STOCK_LEVEL.${name} 600`));
  expect(text).toContain("\n  plan     filter state: about ");
  expect(text).toContain("by sequential scan of billing.invoices over about 2,000 rows, sort of about");
  expect(text).not.toContain("warning");
  expect((await readdir(out)).toSorted()).toEqual(
    ["INVOICE", "STOCK_LEVEL"].flatMap((type) => names.map((name) => `${type}.${name}`)).toSorted(),
  );
  const english = await readFile(join(out, "INVOICE.en-GB.UTC.ndjson"), "utf8");
  const german = await readFile(join(out, "INVOICE.de-DE.America-New_York.ndjson"), "utf8");
  const paidAt = (rows: string) =>
    (JSON.parse(rows.split("\n").find((row) => !row.includes('"paidAt":null'))!) as { paidAt: string }).paidAt;
  expect(paidAt(english)).toMatch(/\+00:00$/);
  expect(paidAt(german)).toMatch(/-0[45]:00$/);
  expect(Date.parse(paidAt(english))).toBe(Date.parse(paidAt(german)));
  expect((await readFile(join(out, "INVOICE.en-GB.UTC.pdf"))).subarray(0, 5).toString()).toBe("%PDF-");
});

test("check-sources lists all differences of a view, exits with 1 and hides values", async () => {
  const environment = { URL: clone.url, TYPES_KEY: "key" };
  const { code, out } = await check(["one", "--source", "env:URL", "--json"], environment);
  const result = JSON.parse(out) as { exitCode: number; types: SourceCheckResult[] };
  expect([code, result.exitCode]).toEqual([1, 1]);
  const of = (name: string) => result.types.find(({ type }) => type === name)!;
  const differences = (name: string) => of(name).differences.map(({ message }) => message);
  expect(differences("WRONG")).toEqual([
    "shop.parts has no column nam.",
    "shop.parts.size is integer and not text: cast it in the view.",
    "Values of the filter name: shop.names does not exist, or its schema may not be used by this role.",
  ]);
  expect(differences("ABSENT")).toEqual([
    "The function shop.parts_since(integer,date) that returns a set of records does not exist, or its schema may not be used by this role.",
  ]);
  expect(of("CALLED")).toMatchObject({ differences: [], unreachable: null, files: [{ rows: 2 }, { rows: 2 }] });
  expect(of("CALLED").plans.map(({ filters }) => filters)).toEqual([["least"], ["name"]]);
  expect(differences("REFUSED")).toEqual([expect.stringContaining("(SQLSTATE 22012)")]);
  // A row function that fails here is not a difference, because its service may be reachable only from the workers.
  expect(of("AWAY")).toMatchObject({ differences: [], rowsNotRead: "no service at undefinedkey", files: [] });
  expect(differences("BAD_CELL")).toEqual([expect.stringContaining("cannot be read or rendered")]);
  expect(out).not.toContain("secret of");
});

test("check-sources warns of scans and sorts of over 100,000 rows and names an index", async () => {
  const args = ["many", "--source", "main=env:URL", "--source", "edge=env:URL"];
  const { code, out } = await check(args);
  expect(code).toBe(0);
  expect(out).toContain("  warning  no filter: sequential scan of shop.big over about 150,000 rows\n");
  expect(out).toMatch(/ {2}warning {2}no filter: sort of about 1[45]\d,\d{3} rows\n/);
  expect(filesOf(out).filter((file) => file.startsWith("BIG"))).toEqual([
    "BIG.en-GB.UTC.csv 1,000",
    "BIG.de-DE.America-New_York.csv 1,000",
  ]);
});

// In every run, the tests before explain queries with and without filters.
test.runIf(isFullTestRun)("check-sources does not warn of a filter that uses an index", async () => {
  const args = ["many", "--source", "main=env:URL", "--source", "edge=env:URL", "--where", "id=7"];
  const narrow = await check(args);
  expect(narrow).toMatchObject({
    code: 0,
    stderr: "",
    out: expect.stringContaining("filter id: about 1 row by index big_id, sort"),
  });
  expect(narrow.out).not.toContain("warning");
});

test("check-sources names a missing grant, and exits with 69 if a source is down", async () => {
  const role = `checker_${randomBytes(6).toString("hex")}`;
  await client.unsafe(`create role ${role} login password 'canary'; grant usage on schema billing to ${role}`);
  const url = new URL(clone.url);
  [url.username, url.password] = [role, "canary"];
  const file = join(folder, "url");
  await writeFile(file, `${url.href}\n`);
  const denied = await check(["acme", "--source", `file:${file}`]);
  expect(denied).toMatchObject({
    code: 1,
    out: expect.stringContaining("This role may not read billing.invoice_report: grant select on it"),
  });
  await client.unsafe(`grant select on billing.invoice_report to ${role}`);
  // In every run, the first test makes these reports with another role.
  const runsOfGranted = isFullTestRun
    ? [["acme", "--source", `file:${file}`, "--timezone", "UTC", "--locale", "en"]]
    : [];
  for (const args of runsOfGranted) expect(await check(args)).toMatchObject({ code: 0 });
  const missing = new URL(url);
  missing.pathname = "/no_such_database";
  const away = new URL(url);
  away.port = "1";
  const runs = [
    [
      ["many", "--source", `main=${missing.href}`, "--source", `edge=${away.href}`],
      /no_such_database[^]*EDGE \([^]*ECONNREFUSED/,
    ],
    [["acme", "--source", away.href], /ECONNREFUSED/],
  ] as const;
  for (const [args, reasons] of isFullTestRun ? runs : runs.slice(0, 1)) {
    const down = await check(args);
    expect(down).toMatchObject({
      code: 69,
      out: expect.stringMatching(reasons),
      stderr: expect.stringContaining("visible in the list of processes"),
    });
    expect(`${down.out}${down.stderr}`).not.toContain("canary");
  }
  await client.unsafe(`drop owned by ${role}; drop role ${role}`);
});

test("a wrong command line of check-sources exits with 2 and shows no password", async () => {
  const cases = [
    [["acme", "--source", "mysql://u:canary@host/db"], "--source must be a URL that begins with postgres://"],
    [["acme", "--sorce", "env:URL"], "Unknown option '--sorce'"],
  ] as const;
  for (const [args, sentence] of isFullTestRun ? cases : cases.slice(0, 1)) {
    const { code, out, stderr } = await check(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("canary");
  }
});

test.each([
  ["where", "regin=EMEA", "--where regin: no report type has this filter"],
  ["where", "state=GONE", "INVOICE: The report cannot be started"],
  ["timezone", "../Mars", "timezone"],
  ["locale", "../de", "must be a language tag"],
])("check-sources reports --%s %s as a mistake of the command line", async (name, value, sentence) => {
  const types = await importReportTypes({ modules: ["acme"], directory: packages.directory, builtIn: false });
  const check = runSourceCheck(types, { source: ["postgres://u@host/db"], [name]: [value] }, {});
  await expect(check).rejects.toBeInstanceOf(UsageError);
  await expect(check).rejects.toThrow(sentence);
});
