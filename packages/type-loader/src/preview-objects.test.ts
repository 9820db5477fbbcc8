import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PreviewRequestWithRequester } from "@reports/core/report";
import { createTestCaseDivider, installReportTypePackages, isFullTestRun, isProcessAlive } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importReportTypes } from "./load-report-types.ts";
import { createObjectPreviewReader } from "./preview-objects.ts";
import { selectReportTypeEnvironment } from "./types-environment.ts";

/** Time limit in ms that is longer than a preview takes on a busy machine, where its process waits for long, because its priority is low. */
const deadlineMs = 180_000;

/** Outside of CI, a function that never ends takes no processor time. */
const block = isFullTestRun ? "for (;;);" : "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";

/** Functions by report type. Each writes the ID of its process to a file, so that a test can see whether the process has ended. */
const functions = {
  ENDLESS: `async *rows(request) {
    note("ENDLESS", process.pid);
    try { for (let at = 0; ; at++) yield { name: "row " + at, hidden: null }; }
    finally { note("ENDED", request.signal.aborted, request.limit, request.columns.join(), JSON.stringify(request.requester)); }
  }`,
  ENVIRONMENT: `async *rows() { yield { name: Object.keys(process.env).filter((key) => /URL|SECRET|TYPES/.test(key)).join() }; }`,
  LOOPS: `rows() { note("LOOPS", process.pid); ${block} }`,
  LOOPS_AFTER: `async *rows() { note("LOOPS_AFTER", process.pid); try { for (;;) yield { name: "a" }; } finally { ${block} } }`,
  WAITS: `async *rows({ signal }) { note("WAITS", process.pid); await new Promise((_, reject) => signal.addEventListener("abort", () => { note("ABORTED"); reject(signal.reason); })); }`,
  EXITS: `async *rows() { process.exit(0); }`,
  THROWS: `async *rows() { throw new Error("password=hunter2"); }`,
  PERMANENT: `async *rows() { throw new PermanentReportError("INVALID_DATA", "The warehouse was given up."); }`,
  UNAVAILABLE: `async *rows() { throw new StoreUnavailableError("The warehouse moves."); }`,
  HEAVY: `async *rows() { const all = []; for (;;) all.push(Buffer.alloc(16 * 1024 * 1024, 1)); }`,
  SPOOFS: `async *rows() { writeToAll(JSON.stringify({ kind: "rows", rows: [[7]] }) + "\\n"); yield { name: "real" }; }`,
  GARBAGE: `async *rows() { writeToAll("}garbage{\\n"); yield { name: "real" }; }`,
  NOISY: `async *rows() { for (let at = 0; at < 400; at++) await new Promise((done) => process.stdout.write(" ".repeat(1023) + "\\r", done)); yield { name: "real" }; }`,
  LATE_GARBAGE: `async *rows() { try { yield { name: "real" }; } finally { writeToAll("}garbage{\\n"); } }`,
  CLOSES: `async *rows() { closeAll(); yield { name: "real" }; }`,
} as const;

const definitionOf = ([type, rows]: readonly [string, string]): string => `{
  authority: "REPORT_ACME",
  definition: {
    type: "${type}", version: 1, title: "${type}",
    columns: [{ key: "name", title: "Name", kind: "text" }, { key: "hidden", title: "Hidden", kind: "text" }],
    rows: { kind: "objects", ${rows} },
  },
}`;

const source = `
  import { appendFileSync, closeSync, fstatSync, writeSync } from "node:fs";
  import { defineReportTypes, PermanentReportError, StoreUnavailableError } from "@reports/core/report-type";
  const note = (file, ...texts) => appendFileSync(process.env.TYPES_FOLDER + "/" + file, texts.join(" ") + "\\n");
  const useChannels = (use) => {
    for (let file = 3; file < 40; file++) try { if (fstatSync(file).isSocket()) use(file); } catch {}
  };
  const writeToAll = (text) => useChannels((file) => writeSync(file, text));
  const closeAll = () => useChannels(closeSync);
  export default defineReportTypes([${Object.entries(functions).map(definitionOf).join(",")}]);`;

let packages: Awaited<ReturnType<typeof installReportTypePackages>>;
let requestOf: (type: keyof typeof functions, limit?: number) => PreviewRequestWithRequester;
const broken: string[] = [];

beforeAll(async () => {
  packages = await installReportTypePackages({ acme: source });
  const types = await importReportTypes({ modules: ["acme"], directory: packages.directory, builtIn: false });
  requestOf = (type, limit = 3) => {
    const { definition } = types.find((each) => each.definition.type === type)!;
    return {
      definition,
      columns: definition.columns.slice(0, 1),
      searchParam: {},
      sort: [{ key: "hidden", descending: false }],
      timezone: "UTC",
      limit,
      requester: { id: "basic:ada", name: "Ada" },
    };
  };
});
afterAll(async () => packages[Symbol.asyncDispose]());

function previewsWithin(limitMs: number, stopGraceMs?: number) {
  return createObjectPreviewReader({
    choice: { modules: ["acme"], directory: packages.directory, builtIn: true },
    environment: {
      ...selectReportTypeEnvironment(process.env, "TYPES_", ["NODE_COMPILE_CACHE", "NODE_OPTIONS"]),
      TYPES_FOLDER: packages.directory,
    },
    deadlineMs: limitMs,
    ...(stopGraceMs === undefined ? {} : { stopGraceMs }),
    onBroken: (type, cause) => void broken.push(`${type}: ${cause}`),
  });
}

const read = async (type: keyof typeof functions, limit?: number) =>
  previewsWithin(deadlineMs).readRows(requestOf(type, limit), new AbortController().signal);
/** Previews whose functions have enough time to end on a busy machine. */
const patientPreviews = () => previewsWithin(deadlineMs, deadlineMs);
const noted = (file: string): string => readFileSync(join(packages.directory, file), "utf8").trim();
const isRunning = (type: string): boolean => {
  // The file is empty if its process was killed while it wrote its ID. A process ID of 0 would mean this process.
  const pid = Number(noted(type));
  return pid > 0 && isProcessAlive(pid);
};

/** Outside of CI, a table of cases has one test, because each starts a process. */
const select = createTestCaseDivider();

describe.concurrent("previews of object rows", { timeout: 240_000 }, () => {
  test("a preview of endless object rows stops after its limit, which the type receives", async () => {
    const rows = await patientPreviews().readRows(requestOf("ENDLESS"), new AbortController().signal);
    expect(rows).toEqual([["row 0"], ["row 1"], ["row 2"]]);
    expect(noted("ENDED")).toBe('true 3 name,hidden {"id":"basic:ada","name":"Ada"}');
    expect(isRunning("ENDLESS")).toBe(false);
  });

  test("a type's function in a preview sees only environment variables of report types", async () => {
    expect(await read("ENVIRONMENT")).toEqual([["TYPES_FOLDER"]]);
  });

  test("a preview keeps its rows if its function then blocks, and ends the process", async () => {
    expect(await read("LOOPS_AFTER")).toEqual([["a"], ["a"], ["a"]]);
    expect(isRunning("LOOPS_AFTER")).toBe(false);
  });

  const passedOn = [
    ["PERMANENT", { name: "PermanentReportError", message: "The warehouse was given up." }],
    ["UNAVAILABLE", { name: "StoreUnavailableError", message: "The warehouse moves." }],
  ] as const;
  test.each(select(passedOn, 2))(
    "a preview whose function ends with %s rejects with its message",
    async (type, error) => {
      await expect(read(type, 100)).rejects.toMatchObject(error);
    },
  );

  const failures = [
    ["THROWS", /^THROWS: password=hunter2$/],
    ["EXITS", /^EXITS: The process ended with exit code 0\.$/],
    ["HEAVY", /^HEAVY: The process ended with SIGKILL\.$/],
  ] as const;
  test.each(select(failures, 3))(
    "a preview whose function %s fails, and only the log has the cause",
    async (type, cause) => {
      await expect(read(type)).rejects.toMatchObject({
        name: "PermanentReportError",
        message: "The function that makes them failed. Tell the owner of the report type.",
      });
      expect(broken).toContainEqual(expect.stringMatching(cause));
    },
  );

  const misuses = [
    ["SPOOFS", "The process sent a reply of an unknown form."],
    ["GARBAGE", "The process sent a reply that is not JSON."],
    ["CLOSES", "The process ended with "],
  ] as const;
  // In every run, read-preview-reply.test.ts refuses such replies, and a function above (EXITS) ends its process without a reply.
  test.runIf(isFullTestRun).each(misuses)(
    "a type's function that misuses its reply channel (%s) fails only its preview",
    async (type, cause) => {
      await expect(read(type)).rejects.toMatchObject({ name: "PermanentReportError" });
      expect(broken).toContainEqual(expect.stringContaining(`${type}: ${cause}`));
    },
  );

  // In every run, read-preview-reply.test.ts and forward-output.test.ts ignore late garbage and cut much output.
  test.runIf(isFullTestRun).each(["LATE_GARBAGE", "NOISY"] as const)(
    "a preview keeps its rows despite late garbage or much output of its function: %s",
    async (type) => {
      expect(await read(type, 1)).toEqual([["real"]]);
    },
  );

  test("a type's function that blocks its process is killed after the time limit of its preview", async () => {
    const late = previewsWithin(2_000).readRows(requestOf("LOOPS"), new AbortController().signal);
    await expect(late).rejects.toMatchObject({ code: "preview-too-slow" });
    // The file is missing if the process was killed before it called the function, as on a busy machine.
    expect(existsSync(join(packages.directory, "LOOPS")) && isRunning("LOOPS")).toBe(false);
  });

  test("a type's function in a preview is stopped when the caller disconnects", async () => {
    const caller = new AbortController();
    const asked = patientPreviews().readRows(requestOf("WAITS"), caller.signal);
    await expect.poll(() => existsSync(join(packages.directory, "WAITS")), { timeout: deadlineMs }).toBe(true);
    caller.abort(new Error("left"));
    await expect(asked).rejects.toThrow("left");
    expect(isRunning("WAITS")).toBe(false);
    expect(existsSync(join(packages.directory, "ABORTED"))).toBe(true);
  });
});
