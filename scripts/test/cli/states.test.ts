import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installTypePackages, type InstalledTypePackages } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type RunningApi } from "../../commands/running-api.ts";
import { runInPipe } from "./run-reports.ts";

/** LEDGER reads a view that is not there, rows of OBJECTS are made by a function. */
const types = `
import { defineReportTypes } from "@reports/core/report-type";
const columns = [{ key: "name", title: "Name", kind: "text" }];
const view = { kind: "view", view: "ledger", id: "name", columns: { name: { column: "name", type: "text" } } };
const objects = { kind: "objects", rows: async function* () {} };
const type = (type, rows) => ({ authority: "REPORT_PROXY", definition: { type, version: 1, title: type, columns, rows } });
export default defineReportTypes([type("LEDGER", view), type("OBJECTS", objects)]);
`;

let packages: InstalledTypePackages;
let api: RunningApi;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "reports-cli-"));
  packages = await installTypePackages({ "more-types": types });
  const environment = { REPORT_TYPES: "more-types", REPORT_TYPES_DIR: packages.directory, LOG_LEVEL: "fatal" };
  api = await startApi({ proxies: 5, domains: 5, worker: true, environment });
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await packages[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function run(...args: readonly string[]) {
  const environment = { REPORTS_URL: api.url, REPORTS_TOKEN: api.tokenOf("somebody") };
  return runInPipe(args, { environment, folder }).ended;
}

test("a preview that is not to be had now is no wrong usage; one of a type that has none is", async () => {
  const err = expect.stringContaining("does not fit it now");
  expect(await run("preview", "LEDGER")).toEqual({ code: 7, out: "", err });
  expect(await run("preview", "OBJECTS")).toMatchObject({ code: 2, out: "" });
});
