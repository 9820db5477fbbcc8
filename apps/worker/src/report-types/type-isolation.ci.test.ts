import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  isTerminal,
  startInputFromBody,
  startReport,
  unguardedStarts,
  type Report,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { newId } from "@reports/runtime";
import { installReportTypePackages, waitFor } from "@reports/testing";
import { importReportTypes } from "@reports/type-loader";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkerProcesses, type WorkerProcess } from "../test/worker-process.ts";

/** Code that the rows of each report type run after their first row. FILLS_MEMORY takes twice the memory that a renderer may use. */
const behaviours = {
  SOUND: `yield { text: "the last" };`,
  EXITS: `process.exit(0);`,
  CRASHES: `process.kill(process.pid, "SIGSEGV"); await new Promise((resolve) => setTimeout(resolve, 60_000));`,
  THROWS: `throw new TypeError("x is not a function");`,
  THROWS_LATER: `setTimeout(() => { throw new Error("nobody awaits this"); }, 1); await new Promise((resolve) => setTimeout(resolve, 60_000));`,
  FILLS_MEMORY: `
    const hoard = [];
    for (;;) { if (hoard.length < 64) hoard.push(Buffer.alloc(32 * 1024 * 1024, 1)); await new Promise((resolve) => setImmediate(resolve)); }`,
  LOOPS: `writeFileSync(process.env.NODE_COMPILE_FOLDER + "/looping", ""); for (;;);`,
  TELLS: `
    yield { text: JSON.stringify(process.env) };
    yield { text: readFileSync("/proc/self/environ", "latin1").replaceAll(String.fromCharCode(0), " ") };
    yield { text: JSON.stringify([process.argv, process.execArgv]) };`,
};
type Behaviour = keyof typeof behaviours;

const source = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { defineReportTypes } from "@reports/core/report-type";
  const define = (type, rows) => ({
    authority: "REPORT_ACME",
    definition: { type, version: 1, title: type, columns: [{ key: "text", title: "Text", kind: "text" }], rows: { kind: "objects", rows } },
  });
  export default defineReportTypes([${Object.entries(behaviours)
    .map(([type, code]) => `define("${type}", async function* () { yield { text: "the first" }; ${code} })`)
    .join()}]);`;

vi.setConfig({ testTimeout: 180_000 });

const canary = "canary-that-nobody-must-see";
let packages: Awaited<ReturnType<typeof installReportTypePackages>>;
let processes: Awaited<ReturnType<typeof startWorkerProcesses>>;
let environment: Record<string, string>;
let definitions: ReadonlyMap<string, ReportTypeDefinition>;

beforeAll(async () => {
  packages = await installReportTypePackages({ acme: source });
  const loaded = await importReportTypes({ modules: ["acme"], directory: packages.directory, builtIn: false });
  definitions = new Map(loaded.map(({ definition }) => [definition.type, definition]));
  processes = await startWorkerProcesses();
  environment = {
    WORKER_CONCURRENCY: "2",
    REPORT_TYPES: "acme",
    REPORT_TYPES_DIR: packages.directory,
    REPORT_TYPES_ENV_PREFIX: "NODE_COMPILE_",
    NODE_COMPILE_FOLDER: packages.directory,
    SECRET_OF_ANOTHER_PROGRAM: canary,
    // The worker reads these variables. Code of a report type must not see their secrets.
    REPORT_DATABASE_URL: processes.url.replace("postgres://", "postgresql://"),
    NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --title=${canary}`,
  };
});
afterAll(async () => {
  await processes[Symbol.asyncDispose]();
  await packages[Symbol.asyncDispose]();
});

async function start(type: Behaviour): Promise<string> {
  const input = startInputFromBody(
    definitions.get(type)!,
    { reportType: type, format: "csv", csvBom: false },
    new Date(),
  );
  const context = { principalId: "basic:alice", coalesce: false, traceparent: null, requiredAuthority: null };
  const { report } = await startReport({ reports: processes.reports, newId, ...unguardedStarts }, context, input);
  await processes.sql`update reports set max_failures = 1 where id = ${report.id}`;
  return report.id;
}

async function end(id: string): Promise<Report> {
  return waitFor(
    async () => {
      const report = await processes.find(id);
      return isTerminal(report.status) && report;
    },
    { what: `the report to end: ${JSON.stringify(await processes.find(id))}`, timeoutMs: 120_000 },
  );
}

async function read(report: Report): Promise<string> {
  const { body } = await processes.files.open(report.file!.storageKey);
  return Buffer.concat(await body.toArray()).toString();
}

let worker: WorkerProcess;

test("a misbehaving rows function ends only its own report and sees no worker secret", async () => {
  const names = Object.keys(behaviours) as Behaviour[];
  const hostile: Partial<Record<Behaviour, string>> = {};
  const sound: string[] = [];
  for (const name of names) {
    hostile[name] = await start(name);
    sound.push(await start("SOUND"));
  }
  worker = await processes.worker(environment);
  await waitFor(() => existsSync(join(packages.directory, "looping")), { what: "the loop", timeoutMs: 120_000 });
  await processes.reports.cancel(hostile.LOOPS!, "basic:alice");

  const failed = (code: string) => ({ status: "FAILED", error: { code }, attempt: 1 });
  const succeeded = { status: "SUCCEEDED", error: null, attempt: 1, failures: 0 };
  const ends: Readonly<Record<Behaviour, object>> = {
    SOUND: { ...succeeded, rowCount: 2 },
    EXITS: failed("RENDERER_CRASHED"),
    CRASHES: failed("RENDERER_CRASHED"),
    THROWS: failed("INTERNAL"),
    THROWS_LATER: failed("RENDERER_CRASHED"),
    FILLS_MEMORY: failed("OUT_OF_MEMORY"),
    LOOPS: { status: "CANCELLED", attempt: 1 },
    TELLS: { ...succeeded, rowCount: 4 },
  };
  for (const name of names) expect(await end(hostile[name]!)).toMatchObject({ reportType: name, ...ends[name] });
  for (const id of sound) expect(await end(id)).toMatchObject(ends.SOUND);

  const revealed = await read(await end(hostile.TELLS!));
  expect(revealed).toContain("NODE_COMPILE_FOLDER");
  expect(revealed).not.toContain(canary);
  const { host, password } = new URL(processes.url);
  for (const secret of ["DATABASE_URL", "postgres:", host, password, "STORAGE_DIR", "SPOOL_DIR"])
    expect(revealed).not.toContain(secret);
});

test("if renderers miss a removed package, the worker exits; a restart exits with 78", async () => {
  await packages.remove("acme");
  // Each report ends a renderer, and two failed replacements in a row end the worker. It may exit before some of these reports run.
  const started = [];
  for (let renderer = 0; renderer < 4; renderer++) started.push(await start("EXITS"));
  const next = await start("SOUND");
  expect(await worker.ended).toBe(1);
  expect(worker.log()).toContain("the report types can no longer be loaded");
  for (const id of started) expect((await processes.find(id)).status).not.toBe("RUNNING");
  expect(await processes.find(next)).toMatchObject({ status: "QUEUED", failures: 0 });

  const again = await processes.worker(environment, "The configuration has 1 problem");
  expect(await again.ended).toBe(78);
  expect(again.log()).toContain("REPORT_TYPES: acme: it cannot be imported: Error: Cannot find package 'acme'");
});
