import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installTypePackages, mountSmallDisk, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type RunningApi } from "../../commands/running-api.ts";
import { hasTerminals, reportsCommand, runInPipe, runOnTerminal } from "./run-reports.ts";

/** LEDGER reads a view that is not there, rows of OBJECTS are made by a function. */
const types = `
import { defineReportTypes } from "@reports/core/report-type";
const columns = [{ key: "name", title: "Name", kind: "text" }];
const view = { kind: "view", view: "ledger", id: "name", columns: { name: { column: "name", type: "text" } } };
const objects = { kind: "objects", rows: async function* () {} };
const type = (type, rows) => ({ authority: "REPORT_PROXY", definition: { type, version: 1, title: type, columns, rows } });
export default defineReportTypes([type("LEDGER", view), type("OBJECTS", objects)]);
`;

let packages: Awaited<ReturnType<typeof installTypePackages>>;
let api: RunningApi;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "reports-cli-"));
  packages = await installTypePackages({ "more-types": types });
  const environment = {
    REPORT_TYPES: "more-types",
    REPORT_TYPES_DIR: packages.directory,
    LOG_LEVEL: "fatal",
    WEBHOOK_KEY: randomBytes(32).toString("base64"),
    WEBHOOK_ALLOW: "http://127.0.0.1:2",
    PUBLIC_URL: "https://reports.example.com",
  };
  api = await startApi({ proxies: 60, domains: 200, worker: true, environment });
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await packages[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function place() {
  return { environment: { REPORTS_URL: api.url, REPORTS_TOKEN: api.tokenOf("somebody") }, folder };
}

async function run(...args: readonly string[]) {
  return runInPipe(args, place()).ended;
}

/** What stands on a terminal of so many columns once the command has ended. */
async function shown(commandLine: string, columns = 80): Promise<string> {
  const { code, out } = await runOnTerminal(`${reportsCommand} ${commandLine}`, place(), columns).ended;
  expect({ code, out }).toMatchObject({ code: 0 });
  return out.replaceAll("\r\n", "\n");
}

test("a preview that is not to be had now is no wrong usage; one of a type that has none is", async () => {
  const err = expect.stringContaining("does not fit it now");
  expect(await run("preview", "LEDGER")).toEqual({ code: 7, out: "", err });
  expect(await run("preview", "OBJECTS")).toMatchObject({ code: 2, out: "" });
});

test.skipIf(!hasTerminals()).each([80, 120])("tables fit into %d columns and cut off nothing", async (columns) => {
  const { err } = await run("run", "PROXY", "--format", "csv", "-o", `at-${columns}.csv`);
  const [id] = /[0-9a-f-]{36}/.exec(err)!;
  const name = "Certificates that expire soon, for the edge team";
  const lines = [
    `schedules create PROXY_DOMAIN --name '${name}' --cron '0 6 * * 1-5'`,
    "list",
    "types PROXY_DOMAIN",
    "preview PROXY_DOMAIN --limit 2",
    `status ${id}`,
    `files ${id}`,
  ];
  const texts: string[] = [];
  for (const line of lines) texts.push(await shown(line, columns));
  // The description of the type is text, and no table.
  const all = texts.flatMap((text) => text.split("\n")).filter((line) => !line.endsWith("per domain."));
  expect(all.filter((line) => [...line].length > columns)).toEqual([]);
  const [schedule, list, type, preview] = texts.map((text) => text.replaceAll(/\s+/g, " "));
  for (const word of name.split(" ")) expect(schedule).toContain(word);
  expect(list).toContain(id);
  expect(type).toContain("Each must be one of EXPIRED, CRITICAL, WARN, OK.");
  expect(texts[3]).toMatch(/^-\[ 1 \]-+\nhostname {10}\S/);
  expect(preview).toContain("--columns chooses some.");
});

test("a report that a worker has handed back says why it waits, and one that was cancelled no progress", async () => {
  const id = (await run("start", "LEDGER", "--format", "csv")).out.trim();
  const status = async () => (await run("status", id)).out;
  const waits = async () => (await status()).includes("waits because\tthe data source of its report type does not fit");
  await waitFor(waits, { what: "the cause", timeoutMs: 60_000 });
  const events = await run("events", id);
  expect(events).toMatchObject({ code: 0, err: "" });
  const table = events.out.trim().split("\n");
  expect(table.map((line) => line.split("\t").slice(1, 5))).toEqual([
    ["", "QUEUED", "0", ""],
    ["QUEUED", "QUEUED", "0", "TYPE_UNUSABLE"],
  ]);
  const json = await run("events", id, "--json");
  expect(JSON.parse(json.out.trim().split("\n")[1]!)).toMatchObject({ reportId: id, because: "TYPE_UNUSABLE" });
  const watch = runInPipe(["watch", id], place());
  await watch.says("The report waits, because the data source of its report type does not fit");
  expect(await run("cancel", id)).toMatchObject({ code: 0 });
  expect(await watch.ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(/six hours\.\n[^\n]*was cancelled\.\n$/),
  });
  expect(await status()).not.toMatch(/^progress|^waits because/m);
  expect((await run("events", id)).out).toMatch(/\tQUEUED\tCANCELLED\t0\t\t/);
});

test("a schedule takes all of its fields, is run once a key, and tells its next times in its zone", async () => {
  const wrong = await run("schedules", "create", "PROXY", "--name", "x", "--cron", "0 6 * *", "--zone", "+02:00");
  expect(wrong).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^ {2}--zone: [^]*^ {2}--cron: /m) });
  const times = ["--starts-at", "2030-01-01T00:00:00Z", "--ends-at", "2031-01-01T00:00:00Z", "--missed-within", "1d"];
  const cron = ["--cron", "0 6 * * 1-5", "--zone", "Europe/Amsterdam"];
  const made = await run("schedules", "create", "PROXY", "--name", "Weekdays", ...cron, ...times, "--format", "csv");
  const next =
    /^Next times, in Europe\/Amsterdam:\n {2}Tue 2030-01-01 06:00 \+01:00\n( {2}\w{3} 2030-01-0\d 06:00 \+01:00\n){4}$/;
  expect(made).toMatchObject({ code: 0, err: expect.stringMatching(next) });
  const id = made.out.split("\t")[0]!;
  expect((await run("schedules", "get", id)).err).toBe(made.err);
  const { out, err } = await run("schedules", "get", id, "--json");
  expect(err).toBe("");
  expect(JSON.parse(out)).toMatchObject({
    startsAt: "2030-01-01T00:00:00.000Z",
    endsAt: "2031-01-01T00:00:00.000Z",
    missedWithinSeconds: 86_400,
  });
  const fires = [];
  for (const key of ["one", "one", "two"]) fires.push(await run("schedules", "run", id, "--idempotency-key", key));
  expect(fires.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(new Set(fires.map((fire) => fire.out)).size).toBe(2);
  expect(await run("schedules", "fires", id, "--limit", "1")).toMatchObject({
    out: fires[2]!.out,
    err: "These are the newest 1; --limit all lists all.\n",
  });
  expect((await run("schedules", "fires", id, "--limit", "all")).err).toBe("");
  await run("schedules", "create", "PROXY", "--name", "Weekdays, too", ...cron);
  expect((await run("schedules", "list", "--limit", "1")).err).toContain("--limit all");
  expect(await run("schedules", "delete", id)).toEqual({
    code: 0,
    out: "",
    err: "The schedule is deleted; its reports stay.\n",
  });
});

test("lists of webhooks and of their deliveries say where there are more", async () => {
  const create = ["webhooks", "create", "http://127.0.0.1:2/", "--event", "report.failed"];
  const made = [await run(...create, "--json"), await run(...create, "--json")];
  const { id } = JSON.parse(made[1]!.out) as { id: string };
  for (let event = 0; event < 2; event++) expect(await run("webhooks", "test", id)).toMatchObject({ code: 0 });
  for (const list of [["list"], ["deliveries", id]]) {
    const { out, err } = await run("webhooks", ...list, "--limit", "1");
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(err).toBe("These are the newest 1; --limit all lists all.\n");
  }
});

test.each([["help"], ["webhooks", "help"], ["schedules", "help"]])("help is a command: %s %s", async (...words) => {
  expect(await run(...words)).toMatchObject({ code: 0, out: expect.stringContaining("Usage: reports") });
});

test("an estimate says why it does not know", async () => {
  expect((await run("estimate", "PROXY", "--json")).err).toBe("");
  expect((await run("estimate", "PROXY")).err).toContain("fewer than ten reports");
});

test("a file that does not fit on the disk is said to be not saved, and nothing of it is left", async () => {
  const disk = mountSmallDisk(4_096);
  if (disk === null) return;
  try {
    const saved = await run("run", "PROXY", "--format", "csv", "-o", join(disk.path, "a.csv"));
    expect(saved).toMatchObject({ code: 1, out: "", err: expect.stringContaining("The file is not saved: ENOSPC") });
    expect(readdirSync(disk.path)).toEqual([]);
  } finally {
    disk.unmount();
  }
});
