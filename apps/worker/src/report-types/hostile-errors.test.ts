import {
  isTerminal,
  startInputFromBody,
  startReport,
  unguardedStarts,
  type Report,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { newId } from "@reports/runtime";
import { installReportTypePackages, isFullTestRun, waitFor } from "@reports/testing";
import { importReportTypes } from "@reports/type-loader";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkerProcesses, type WorkerProcess } from "../test/worker-process.ts";

/** Code that the rows of each report type run, and the error code with which its report must end. */
const allBehaviours = {
  NUL_CHARACTER: [`throw permanent("before\\u0000after");`, "INVALID_DATA"],
  FIVE_MEGABYTES: [`throw permanent("\\u{1F600}".repeat(2_500_000));`, "INVALID_DATA"],
  LONE_SURROGATE: [`throw permanent("a\\ud800b\\udfff");`, "INVALID_DATA"],
  CONTROLS: [`throw permanent("\\u001b[31m\\u009b\\u2028\\u202e\\ufffe\\u0007");`, "INVALID_DATA"],
  NO_TEXT: [`throw withMessage({ value: 42 });`, "INVALID_DATA"],
  NO_MESSAGE: [`throw withMessage({ value: null });`, "INVALID_DATA"],
  // Node's streams read the message of an error. A getter that throws there ends the renderer.
  GETTER: [`throw withMessage({ get() { throw new Error("not yours"); } });`, "RENDERER_CRASHED"],
  GETTERS: [
    `throw new Proxy(new Error("a"), { get() { throw new Error("not yours"); }, getPrototypeOf() { throw 1; } });`,
    "RENDERER_CRASHED",
  ],
  GETTER_OF_COUNT: [`yield* [];`, "INVALID_DATA"],
  NO_CODE: [`throw Object.assign(permanent("a"), { code: "\\u0000" });`, "INVALID_DATA"],
  NAME: [`throw Object.assign(new Error("a"), { name: { toString: null }, stack: 7 });`, "INTERNAL"],
  CAUSES: [
    `let error = new Error("first");
     for (let count = 0; count < 100_000; count++) error = new Error("next", { cause: error });
     throw error;`,
    "INTERNAL",
  ],
  CAUSE_OF_ITSELF: [`const error = permanent("a"); error.cause = error; throw error;`, "INVALID_DATA"],
  UNDEFINED: [`throw undefined;`, "INTERNAL"],
  SYMBOL: [`throw Symbol("a\\u0000");`, "INTERNAL"],
  OBJECT: [`throw Object.create(null);`, "INTERNAL"],
  TEXT: [`throw "x\\u0000".repeat(1_000_000);`, "INTERNAL"],
  HANDS_BACK: [
    `throw Object.assign(new Error("a\\u0000"), {
       [Symbol.for("@reports/core/error-classes")]: ["ReportNotServedError", "ExpectedError"], because: "\\u0000",
     });`,
    "INTERNAL",
  ],
  CRASHES: [
    `throw Object.assign(new Error("a\\u0000"), {
       [Symbol.for("@reports/core/error-classes")]: ["RendererCrashError", "ExpectedError"], code: "\\u0000",
     });`,
    "RENDERER_CRASHED",
  ],
  EXITS: [`process.exit(0);`, "RENDERER_CRASHED"],
  PRINTS: [
    `for (let count = 0; count < 1_000; count++) console.log('{"level":30,"msg":"a line of somebody else"}');
     process.stdout.write("half a line"); console.error("to standard error");`,
    null,
  ],
  TELLS: [
    `yield { text: JSON.stringify(process.env) };
     yield { text: readFileSync("/proc/self/environ", "latin1").replaceAll(String.fromCharCode(0), " ") };
     yield { text: JSON.stringify([process.argv, process.execArgv]) };`,
    null,
  ],
  SENDS_FAILURE: [
    `process.send({ kind: "failed", steps: [], rssBytes: "x", error: { name: "PermanentReportError", code: 3, message: ["\\u0000"] } });
     await never;`,
    "INVALID_DATA",
  ],
  SENDS_PROGRESS: [
    `process.send({ kind: "progress", steps: [{ progress: { phase: "rendering", rowsDone: NaN, rowsTotal: "\\u0000" }, atMs: 1 }] });
     await never;`,
    "RENDERER_CRASHED",
  ],
  SENDS_RESULT: [
    `process.send({ kind: "done", steps: [], rssBytes: 1, result: {
       rowCount: 1.5, sizeBytes: 3, sha256: "\\u0000", extension: "csv", columns: 7, dataAsOf: "never",
       warnings: [{ code: "\\u0000", message: "\\ud800" }], keptRows: null,
     } });
     await never;`,
    "RENDERER_CRASHED",
  ],
} as const;
type Behaviour = keyof typeof allBehaviours;

/** They end renderers as other behaviours do. In every run, renderer-pool.test.ts has renderers that send incomplete messages. */
const onlyInCi = new Set(["GETTERS", "SENDS_PROGRESS", "SENDS_RESULT"]);
const behaviours = Object.entries(allBehaviours).filter(([type]) => isFullTestRun || !onlyInCi.has(type)) as [
  Behaviour,
  readonly [string, string | null],
][];

const source = `
  import { readFileSync } from "node:fs";
  import { defineReportTypes, PermanentReportError } from "@reports/core/report-type";
  const never = new Promise((resolve) => setTimeout(resolve, 600_000));
  const permanent = (message) => new PermanentReportError("INVALID_DATA", message);
  const withMessage = (property) => Object.defineProperty(permanent("a"), "message", property);
  const count = async () => { throw withMessage({ get() { throw new Error("not yours"); } }); };
  const define = (type, rows) => ({
    authority: "REPORT_ACME",
    definition: {
      type, version: 1, title: type, columns: [{ key: "text", title: "Text", kind: "text" }],
      rows: { kind: "objects", rows, ...(type === "GETTER_OF_COUNT" ? { count } : {}) },
    },
  });
  export default defineReportTypes([${behaviours
    .map(
      ([type, [statements]]) => `define("${type}", async function* () { yield { text: "the first" }; ${statements} })`,
    )
    .join()}]);`;

vi.setConfig({ testTimeout: 300_000 });

const canary = "canary-that-nobody-must-see";
let packages: Awaited<ReturnType<typeof installReportTypePackages>>;
let processes: Awaited<ReturnType<typeof startWorkerProcesses>>;
let definitions: ReadonlyMap<string, ReportTypeDefinition>;
let worker: WorkerProcess;
const ended = new Map<Behaviour, Report>();

async function start(type: Behaviour): Promise<string> {
  const input = startInputFromBody(definitions.get(type)!, { reportType: type, format: "csv" }, new Date());
  const context = { principalId: "basic:alice", coalesce: false, traceparent: null, requiredAuthority: null };
  const { report } = await startReport({ reports: processes.reports, newId, ...unguardedStarts }, context, input);
  await processes.sql`update reports set max_failures = 1 where id = ${report.id}`;
  return report.id;
}

beforeAll(async () => {
  packages = await installReportTypePackages({ acme: source });
  const loaded = await importReportTypes({ modules: ["acme"], directory: packages.directory, builtIn: false });
  definitions = new Map(loaded.map(({ definition }) => [definition.type, definition]));
  processes = await startWorkerProcesses();
  const ids = new Map<Behaviour, string>();
  for (const [type] of behaviours) ids.set(type, await start(type));
  worker = await processes.worker({
    REPORT_TYPES: "acme",
    REPORT_TYPES_DIR: packages.directory,
    SECRET_OF_ANOTHER_PROGRAM: canary,
    // The worker reads this variable. Code of a report type must not see its secret.
    REPORT_DATABASE_URL: processes.url.replace("postgres://", "postgresql://"),
  });
  for (const [type, id] of ids) {
    const isOver = async () => isTerminal((await processes.find(id)).status);
    await waitFor(isOver, { what: `the report of type ${type} to end`, timeoutMs: 60_000 });
    ended.set(type, await processes.find(id));
  }
}, 300_000);
afterAll(async () => {
  await processes[Symbol.asyncDispose]();
  await packages[Symbol.asyncDispose]();
});

test.each(behaviours)("a report whose type has the behaviour %s ends in its first attempt", (type, [, code]) => {
  const status = code === null ? { status: "SUCCEEDED", error: null } : { status: "FAILED", error: { code } };
  expect(ended.get(type)).toMatchObject({ ...status, attempt: 1 });
});

test("the stored detail of an error is at most 500 characters, all of them visible", () => {
  for (const { detail } of [...ended.values()].flatMap(({ error }) => error ?? [])) {
    expect(detail.length).toBeLessThanOrEqual(500);
    expect(detail).not.toMatch(/[\p{Cc}\p{Cs}\p{Cn}\u2028\u202e]/u);
  }
  expect(ended.get("NUL_CHARACTER")!.error!.detail).toBe("before\ufffdafter");
});

test("every line of the log is short, parsable and the worker's own; the worker continues", async () => {
  // Code of a report type has printed this line, which the worker writes to standard error.
  await worker.waitForLog("a line of somebody else");
  const lines = worker.stdout().trimEnd().split("\n");
  for (const line of lines) {
    expect(line.length).toBeLessThan(64_000);
    expect(JSON.parse(line)).toMatchObject({ name: "worker" });
    expect(line).not.toMatch(/\\ud[89a-f]/i);
  }
  expect(worker.isRunning()).toBe(true);
});

test("code of a report type sees no secret of the worker", async () => {
  const { body } = await processes.files.open(ended.get("TELLS")!.file!.storageKey);
  const revealed = Buffer.concat(await body.toArray()).toString();
  expect(revealed).toContain("NODE_OPTIONS");
  const { host, password } = new URL(processes.url);
  for (const secret of [canary, "DATABASE_URL", "postgres:", host, password, "STORAGE_DIR", "SPOOL_DIR"])
    expect(revealed).not.toContain(secret);
});

test("if renderers miss a removed package, the worker exits", async () => {
  await packages.remove("acme");
  // A report ends its renderer, and two failed replacements in a row end the worker.
  for (let renderer = 0; renderer < 2; renderer++) await start("EXITS");
  expect(await worker.ended).toBe(1);
  expect(worker.log()).toContain("the report types can no longer be loaded");
});
