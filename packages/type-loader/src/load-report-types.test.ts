import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { builtInReportTypes } from "@reports/core/report";
import { installReportTypePackages, isFullTestRun } from "@reports/testing";
import { expect, test } from "vitest";
import { importReportTypes, loadReportTypes, type ReportTypeChoice } from "./load-report-types.ts";
import { ReportTypesError } from "./report-types-error.ts";
import { selectReportTypeEnvironment } from "./types-environment.ts";

const environment = selectReportTypeEnvironment(process.env, "TYPES_", ["NODE_COMPILE_CACHE", "NODE_OPTIONS"]);

function typesModule(types: readonly string[], authority = "REPORT_ACME", before = ""): string {
  const entries = types.map(
    (type) => `{
      authority: ${JSON.stringify(authority)},
      definition: {
        type: ${JSON.stringify(type)}, version: 1, title: "Acme",
        columns: [{ key: "name", title: "Name", kind: "text" }],
        rows: { kind: "objects", async *rows() { yield { name: "a" }; } },
      },
    }`,
  );
  return `import { defineReportTypes } from "@reports/core/report-type";\n${before}\nexport default defineReportTypes([${entries.join()}]);`;
}

async function problemsOf(choice: ReportTypeChoice, timeoutMs?: number): Promise<readonly string[]> {
  return problemsIn(loadReportTypes(choice, timeoutMs === undefined ? { environment } : { environment, timeoutMs }));
}

/**
 * Returns the problems of modules whose import does not end the process. Outside of CI, this process imports them, because loadReportTypes starts a
 * process per module, which calls the same function.
 */
async function problemsOfHarmless(choice: ReportTypeChoice): Promise<readonly string[]> {
  return isFullTestRun ? problemsOf(choice, 60_000) : problemsIn(importReportTypes(choice));
}

async function problemsIn(loading: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await loading.then(
    () => new Error("The modules were loaded."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ReportTypesError)) throw error;
  expect(new Set(error.problems.map(({ variable }) => variable))).toEqual(new Set(["REPORT_TYPES"]));
  return error.problems.map(({ message }) => message);
}

test("without modules, loadReportTypes returns built-in types and starts no process", async () => {
  const unreadable = new Proxy({}, { ownKeys: () => expect.fail("A process was started.") });
  const types = await loadReportTypes(
    { modules: [], directory: "/nowhere", builtIn: true },
    { environment: unreadable },
  );
  expect(types.map(({ definition }) => definition)).toEqual(builtInReportTypes);
});

test("modules are found by package name and subpath, and types keep the modules' order", async () => {
  await using packages = await installReportTypePackages({
    "acme-reports": typesModule(["SECOND", "FIRST"]),
    "@acme/billing": typesModule(["THIRD"]),
  });
  const choice = { modules: ["@acme/billing", "acme-reports"], directory: packages.directory, builtIn: true };
  const loaded = await loadReportTypes(choice, { environment });
  expect(loaded.map(({ definition, authority }) => [definition.type, authority])).toEqual([
    ...builtInReportTypes.map(({ type }) => [type, `REPORT_${type}`]),
    ...["THIRD", "SECOND", "FIRST"].map((type) => [type, "REPORT_ACME"]),
  ]);
  expect(await importReportTypes({ ...choice, builtIn: false })).toEqual(loaded.slice(-3));
});

test("loadReportTypes throws one error with the problems of all modules", async () => {
  const harmless = {
    "throws-text": `throw "no licence";`,
    "throws-error": `throw new Error("no licence");`,
    twice: typesModule(["TWICE", "TWICE"]),
    misspelt: `export default {;`,
    empty: `export const types = [];`,
    foreign: `export default { reportTypes: [] };`,
    broken: `export default { get [Symbol.for("@reports/core/report-types")]() { throw new Error("no"); } };`,
    older: `export default { [Symbol.for("@reports/core/report-types")]: "999.0.0", reportTypes: [] };`,
    unguarded: typesModule(["UNGUARDED"], "with a blank"),
    lower: typesModule(["lower"]),
  };
  // The watchdog and the other endings below show in every run that a module cannot end the process of the caller.
  const onlyInCi = {
    throws: `throw new Error("no licence");`,
    exits: `process.exit(0);`,
    tells: typesModule(["TELLS"], undefined, `process.send(null); process.exit(4);`),
  };
  const packages = {
    ...(isFullTestRun ? onlyInCi : {}),
    crashes: `process.kill(process.pid, "SIGSEGV"); await new Promise((resolve) => setTimeout(resolve, 60_000));`,
    complains: `console.error("no licence"); process.exit(3);`,
    awaits: `await new Promise(() => undefined);`,
    one: typesModule(["SHARED", "OW_N1"]),
    other: typesModule(["PROXY", "SHARED", "OW_N_1"]),
  };
  await using installed = await installReportTypePackages({ ...harmless, ...packages });
  const choice = { directory: installed.directory, builtIn: true };
  const problems = [
    ...(await problemsOf({ ...choice, modules: Object.keys(packages) }, 60_000)),
    ...(await problemsOfHarmless({ ...choice, modules: [...Object.keys(harmless), "missing", "one/none"] })),
  ];
  const expected: Readonly<Record<string, RegExp | readonly RegExp[]>> = {
    ...(isFullTestRun && {
      throws: /cannot be imported: Error: no licence \(file:.*throws\/index\.js:1:7\)/,
      exits: /ended the process that imported it \(exit code 0\)/,
      tells: /ended the process that imported it \(exit code 4\)/,
    }),
    "throws-error": /cannot be imported: Error: no licence \(file:.*throws-error\/index\.js:1:7\)/,
    "throws-text": /cannot be imported: it threw "no licence"/,
    misspelt: /cannot be imported: SyntaxError: Unexpected token/,
    crashes: /ended the process that imported it \(SIGSEGV\)/,
    complains: /ended the process that imported it \(exit code 3\), and said last: no licence/,
    awaits: /awaits something that never happens/,
    empty: /not what defineReportTypes/,
    foreign: /not what defineReportTypes/,
    broken: /default export cannot be read: Error: no/,
    older: /made by @reports\/core 999\.0\.0.*major versions must be equal/,
    unguarded: /UNGUARDED: its authority must be/,
    lower: /lower: .* UPPER_SNAKE/,
    other: [
      /PROXY is already a type of the built-in types/,
      /SHARED is already a type of one/,
      /OW_N_1 and OW_N1 of one have the same name in OpenAPI, OwN1/,
    ],
    twice: /TWICE is registered twice/,
    missing: /cannot be imported: Error: Cannot find package 'missing'/,
    "one/none": /cannot be imported: Error: Package subpath '\.\/none' is not defined/,
  };
  for (const [name, text] of Object.entries(expected))
    expect(problems.filter((problem) => problem.startsWith(`${name}: `))).toEqual(
      [text].flat().map((each) => expect.stringMatching(each)),
    );
  expect(problems).toHaveLength(Object.values(expected).flat().length);
});

/** Like an endless loop, this keeps a process from handling messages. But it takes no processor time. */
const blocks = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";

test("loadReportTypes reports a module whose import waits or blocks its process as late", async () => {
  await using packages = await installReportTypePackages({
    blocks: isFullTestRun ? `for (;;);` : blocks,
    waits: `await new Promise((resolve) => setTimeout(resolve, 600_000));`,
  });
  const choice = { modules: ["blocks", "waits"], directory: packages.directory, builtIn: false };
  expect(await problemsOf(choice, 1_000)).toEqual([
    "blocks: it cannot be imported within 1 s.",
    "waits: it cannot be imported within 1 s.",
  ]);
  await expect(importReportTypes({ ...choice, modules: ["waits"] }, 100)).rejects.toThrow(/within 0\.1 s/);
});

test("the watchdog of a process ends it while the main thread is blocked", async () => {
  await using packages = await installReportTypePackages({
    blocks: `
      import { startProcessWatchdog } from ${JSON.stringify(new URL("start-process-watchdog.ts", import.meta.url).href)};
      startProcessWatchdog(100);
      ${blocks}`,
  });
  const blocked = spawn(process.execPath, [join(packages.directory, "node_modules/blocks/index.js")]);
  const [, signal] = (await once(blocked, "exit")) as [number | null, NodeJS.Signals | null];
  expect(signal).toBe("SIGKILL");
});

test("paths, URLs and modules of Node are refused as names of modules", async () => {
  const texts =
    "./reports.js ../reports /srv/reports.js C:\\reports file:///srv/reports.js https://a.example/r.js data:text/javascript,1 " +
    "node:fs fs fs/promises #internal a/../b a//b a/ @acme .a a%2f..%2fb";
  const modules = [...texts.split(" "), "a b", "a".repeat(300)];
  const problems = await problemsOf({ modules, directory: "/nowhere", builtIn: true });
  expect(problems).toEqual(modules.map((name) => expect.stringContaining(`${name}: this is not the name of an`)));
});

test("invalid and repeated names are reported together with problems of other modules", async () => {
  await using packages = await installReportTypePackages({ acme: typesModule(["lower"]) });
  const modules = ["./reports.js", "acme", "acme", "missing"];
  expect(await problemsOf({ modules, directory: packages.directory, builtIn: true })).toEqual([
    expect.stringContaining("./reports.js: this is not the name of an"),
    "acme: it is named twice.",
    expect.stringMatching(/^acme: .*UPPER_SNAKE/),
    expect.stringMatching(/^missing: it cannot be imported/),
  ]);
});

test("text that a module of report types prints at its import goes to standard error", async () => {
  await using packages = await installReportTypePackages({
    prints: typesModule(["PRINTS"], undefined, `process.stdout.write("no newline"); console.log("printed");`),
  });
  const choice = { modules: ["prints"], directory: packages.directory, builtIn: false };
  const load = `
    import { loadReportTypes } from ${JSON.stringify(new URL("load-report-types.ts", import.meta.url).href)};
    const types = await loadReportTypes(${JSON.stringify(choice)}, { environment: {} });
    console.log(types[0].definition.type);`;
  const child = spawn(process.execPath, ["--conditions=@reports/source", "--input-type=module", "--eval", load]);
  const [said, printed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(said).toBe("PRINTS\n");
  expect(printed).toContain("no newlineprinted\n");
});

test("a module of report types is checked with only the given environment variables", async () => {
  const tell = `console.log("printed"); throw new Error(Object.keys(process.env).sort().join(" "));`;
  await using packages = await installReportTypePackages({ tells: tell });
  const given = selectReportTypeEnvironment(
    {
      PATH: "/bin",
      LANG: "C",
      NODE_USE_SYSTEM_CA: "1",
      DATABASE_URL: "postgres://a:secret@b/c",
      TYPES_REGION: "eu",
      TYPESETTER: "1",
    },
    "TYPES_",
  );
  const choice = { modules: ["tells"], directory: packages.directory, builtIn: true };
  await expect(loadReportTypes(choice, { environment: given })).rejects.toThrow(
    "Error: LANG NODE_USE_SYSTEM_CA PATH TYPES_REGION (file:",
  );
});

test("a module's hostile error at import is reported as one short visible line", async () => {
  const getter = `{ get() { throw new Error("not yours"); } }`;
  const harmless = {
    nul: `throw new Error("a\\u0000\\u001b[31m\\ud800b");`,
    long: `throw new Error("x".repeat(5_000_000));`,
    "long-text": `throw "x".repeat(5_000_000);`,
    message: `throw Object.defineProperty(new Error("a"), "message", ${getter});`,
    stack: `throw Object.defineProperty(new Error("a"), "stack", ${getter});`,
    name: `throw Object.assign(new Error("a"), { name: Symbol("a") });`,
    nothing: `throw Object.create(null);`,
  };
  const modules = {
    verdict: `process.send({ kind: "verdict", verdict: { ok: false, problems: 7 } }); process.exit(0);`,
    problems: `process.send({ kind: "verdict", verdict: { ok: false, problems: ["\\u0000"] } }); process.exit(0);`,
    prints: `console.error("a\\u0000\\u001b[31m" + "x".repeat(5_000)); process.exit(3);`,
  };
  await using packages = await installReportTypePackages({ ...harmless, ...modules });
  const choice = { directory: packages.directory, builtIn: true };
  const problems = [
    ...(await problemsOfHarmless({ ...choice, modules: Object.keys(harmless) })),
    ...(await problemsOf({ ...choice, modules: Object.keys(modules) }, 60_000)),
  ];
  expect(problems).toHaveLength(Object.keys({ ...harmless, ...modules }).length);
  for (const problem of problems) {
    expect(problem.length).toBeLessThan(1_200);
    expect(problem).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  }
});

test("only system errors and late imports of a module count as failures of the host", async () => {
  const reads = `import { readFileSync } from "node:fs"; readFileSync("/proc/self/mem");`;
  const packages = { reads, waits: `await new Promise(() => undefined);`, throws: `throw new Error("no licence");` };
  await using installed = await installReportTypePackages(packages);
  const { directory } = installed;
  for (const [name, isHostFailure] of Object.entries({ reads: true, waits: true, throws: false, missing: false })) {
    const loading = importReportTypes(
      { modules: [name], directory, builtIn: false },
      name === "waits" ? 100 : undefined,
    );
    await expect(loading).rejects.toMatchObject({ name: "ReportTypesError", isHostFailure });
  }
});
