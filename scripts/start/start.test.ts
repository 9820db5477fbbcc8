import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDatabase, createUserStore } from "@reports/db";
import { findFreePort, hasCurl, installTypePackages, isProcessAlive, waitFor } from "@reports/testing";
import { afterAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const script = join(root, "scripts/start.ts");
const children: ChildProcess[] = [];
const folders: string[] = [];

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Start {
  readonly child: ChildProcess;
  readonly dataDir: string;
  output(): string;
  says(text: string | RegExp): Promise<unknown>;
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** Runs the command in an environment of its own, because a developer's variables would beat what the test expects. */
function start(environment: Record<string, string>, dataDir?: string): Start {
  const folder = dataDir ?? newFolder();
  const child = spawn(process.execPath, ["--conditions=@reports/source", script, "--data", folder], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // The worker's renderers see what Node has compiled once, too.
      REPORT_TYPES_ENV_PREFIX: "NODE_COMPILE_",
      ...environment,
    },
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const matches = (text: string | RegExp) => (typeof text === "string" ? output.includes(text) : text.test(output));
  return {
    child,
    dataDir: folder,
    ended,
    output: () => output,
    async says(text) {
      const over = ended.then((code) => {
        if (!matches(text)) throw new Error(`It ended with ${code} without saying ${String(text)}:\n${output}`);
      });
      await Promise.race([
        over,
        waitFor(() => matches(text), { what: `${String(text)} in:\n${output}`, timeoutMs: 90_000 }),
      ]);
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reports-start-"));
  folders.push(folder);
  // As root, Postgres runs as another user, who must be able to reach its data.
  chmodSync(folder, 0o755);
  return join(folder, "data");
}

/** The reader's, as `npm start` has generated and printed it. */
function readerPassword(run: Start): string {
  const { passwords } = JSON.parse(readFileSync(join(run.dataDir, "credentials.json"), "utf8")) as {
    passwords: Record<string, string>;
  };
  return passwords["reader"]!;
}

/** Runs commands as a person pastes them, in a folder; gives what they print. */
async function paste(commands: string, folder: string): Promise<string> {
  // A person's shell has no settings of the tests'.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder, env });
  return stdout;
}

/** A new folder in which npm and Node find the same packages as in a folder of the given one's. */
function folderBeside(installed: string): string {
  const folder = mkdtempSync(join(tmpdir(), "reports-pasted-"));
  folders.push(folder);
  symlinkSync(join(root, installed, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function countSchedules(run: Start, port: number): Promise<number> {
  const authorization = `Basic ${Buffer.from(`reader:${readerPassword(run)}`).toString("base64")}`;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/report-schedules`, { headers: { authorization } });
  return ((await answer.json()) as readonly unknown[]).length;
}

async function apiStatus(run: Start, port: number): Promise<number> {
  const authorization = `Basic ${Buffer.from(`reader:${readerPassword(run)}`).toString("base64")}`;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/report-types`, { headers: { authorization } });
  return answer.status;
}

const crewReports = `
  import { defineReportTypes } from "@reports/core/report-type";
  export default defineReportTypes([{
    authority: "MAY_SEE_THE_CREW",
    definition: {
      type: "CREW", version: 1, title: "Crew", columns: [{ key: "name", title: "Name", kind: "text" }],
      rows: { kind: "objects", async *rows() { yield { name: "Ada" }; } },
    },
  }]);`;

/** A report of the type as csv, started, awaited and downloaded by the reader. */
async function readReport(run: Start, port: number, type: string): Promise<string> {
  const headers = { authorization: `Basic ${Buffer.from(`reader:${readerPassword(run)}`).toString("base64")}` };
  const get = async (path: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/v1${path}`, { headers: { ...headers, ...more } });
  const { id } = (await (await get(`/report?reportType=${type}&format=csv`)).json()) as { id: string };
  await get(`/reports/${id}`, { Prefer: "wait=60" });
  const file = await get(`/report/download?reportType=${type}&id=${id}`);
  return Buffer.from(await file.arrayBuffer()).toString();
}

/** The blocks of code of a section of README's first report, with what `npm start` has printed put in. */
function readmeCode(heading: string, language: string, run: Start, port: number): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const section = readme.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```/gm)].filter(([, of]) => of === language);
  const password = readerPassword(run);
  return blocks
    .map(([, , code]) => code!)
    .join("\n")
    .replaceAll("http://127.0.0.1:3000", `http://127.0.0.1:${port}`)
    .replace("reader:PASSWORD", `reader:${password}`)
    .replace(/(REPORTS_PASSWORD=|password: ")PASSWORD/, `$1${password}`);
}

/** The commands of curl that the start prints. */
function printedCommands(run: Start): string {
  return /\nYour first report: .*\n((?: {2}.*\n)+)/.exec(run.output())![1]!;
}

/**
 * Pastes commands while the worker is stopped, which continues only after the first response to the download.
 * Gives the names of the saved files.
 */
async function pasteBeforeWorkerRuns(commands: string, worker: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "reports-slow-"));
  folders.push(folder);
  process.kill(worker, "SIGSTOP");
  let ended = false;
  const pasted = paste(commands.replaceAll("wait=30", "wait=1"), folder).finally(() => (ended = true));
  try {
    await waitFor(() => ended || readdirSync(folder).length > 0, { what: "the first response to the download" });
  } finally {
    process.kill(worker, "SIGCONT");
  }
  await pasted;
  const names = readdirSync(folder);
  for (const name of names) expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/^\{/);
  return names;
}

/** Pastes what the start prints and what README says, for reports that are slower than the wait. */
async function expectFilesOfSlowReports(run: Start, port: number, worker: number): Promise<void> {
  expect(await pasteBeforeWorkerRuns(printedCommands(run), worker)).toEqual(["domains.pdf"]);
  const first = readmeCode("With curl", "sh", run, port);
  expect(await pasteBeforeWorkerRuns(first, worker)).toEqual(["expired.csv"]);
}

/** What the start prints and what README says can be pasted, twice on one day, and gives what is said. */
async function expectWalkThroughs(run: Start, port: number): Promise<void> {
  const printed = printedCommands(run);
  const first = readmeCode("With curl", "sh", run, port);
  const wrong = readmeCode("When something is wrong", "sh", run, port);
  const refused = [...wrong.matchAll(/^(curl .*?) +# (\d{3}):/gm)];
  const statuses = refused.map(([, command]) => `${command} -o /dev/null -w '%{http_code}\\n'`).join("\n");
  const folder = folderBeside(".");
  for (let time = 1; time <= 2; time++) {
    await paste(printed, folder);
    expect(readFileSync(join(folder, "domains.pdf"), "latin1")).toMatch(/^%PDF-/);
    const told = await paste(`exec 3>&1 >/dev/null\n${first}\nexec >&3\n${statuses}`, folder);
    expect(readFileSync(join(folder, "expired.csv"), "utf8")).toMatch(/^\uFEFFhostname,/);
    expect(told.trim().split("\n")).toEqual(refused.map(([, , status]) => status));
  }
}

/** The same by the command line, and by a program with the client: each in a new folder, beside what is installed in a checkout. */
async function expectCommandLineAndClient(run: Start, port: number): Promise<void> {
  const shell = folderBeside(".");
  const printed = run.output().match(/^ {2}REPORTS_URL=.* npm exec --no -- reports run .*$/m)![0];
  await paste(printed, shell);
  expect(readFileSync(join(shell, "domains.pdf"), "latin1")).toMatch(/^%PDF-/);
  const told = await paste(readmeCode("With the command line", "sh", run, port), shell);
  expect(told.split("\n")[0]).toBe("expired.csv");
  expect(told).toMatch(/^[0-9a-f-]{36}\tPROXY_DOMAIN\tSUCCEEDED\t/m);
  const saved = readFileSync(join(shell, "expired.csv"), "utf8");
  expect(saved).toMatch(/^\uFEFFhostname,/);
  const schedules = run.output().match(/^ {2}REPORTS_URL=.* npm exec --no -- reports schedules list$/m)![0];
  expect(await paste(schedules, shell)).toMatch(
    /^[0-9a-f-]{36}\tEvery morning\tPROXY_DOMAIN\t0 6 \* \* \*\tUTC\tACTIVE\t.*\n$/,
  );

  const project = folderBeside("apps/cli");
  writeFileSync(join(project, "first-report.mts"), readmeCode("From TypeScript", "ts", run, port));
  // An installed client is built; the checkout's is not.
  const said = await paste("node --conditions=@reports/source first-report.mts", project);
  const rows = saved.trim().split("\r\n").length - 1;
  expect(said).toBe(`${rows} domains need a new certificate.\n`);
  expect(readFileSync(join(project, "expired.csv"), "utf8").split("\r\n")).toHaveLength(rows + 2);
}

describe("a first and a second start on one folder", { timeout: 240_000 }, () => {
  const dataDir = newFolder();

  test("a bare start becomes ready, what it and README say can be pasted twice, a crashed worker comes back, and SIGTERM stops API, worker and Postgres in this order", async () => {
    const port = await findFreePort();
    const run = start({ PORT: String(port), LOG_LEVEL: "warn" }, dataDir);
    await run.says("The report gateway is ready");
    expect(run.output()).toContain("Loaded demo data: 60 proxies and 2500 domains.");
    expect(await apiStatus(run, port)).toBe(200);
    // Without it the command line's and the client's remain.
    if (hasCurl()) await expectWalkThroughs(run, port);
    await expectCommandLineAndClient(run, port);

    const [owner, worker, api] = readFileSync(join(dataDir, "processes"), "utf8").split("\n").map(Number);
    if (hasCurl()) await expectFilesOfSlowReports(run, port, worker!);
    expect(owner).toBe(run.child.pid);
    process.kill(worker!, "SIGKILL");
    await run.says(/worker +ended unexpectedly \(SIGKILL\), starting again in 0.5 s/);
    const restarted = await waitFor(
      () =>
        readFileSync(join(dataDir, "processes"), "utf8")
          .split("\n")
          .map(Number)
          .find((pid) => ![owner, worker, api].includes(pid)),
      { what: "another worker process" },
    );
    expect(isProcessAlive(restarted)).toBe(true);
    expect(isProcessAlive(api!)).toBe(true);

    const postgres = Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
    expect(run.output()).toMatch(/Stopping the api\.[^]*Stopping the worker\.[^]*Stopping Postgres\./);
    for (const pid of [api!, restarted, postgres]) expect(isProcessAlive(pid)).toBe(false);
  });

  test("the second start finds its users and data again, serves an installed type to its readers, and a third beside it is refused", async () => {
    const port = await findFreePort();
    await using packages = await installTypePackages({ "crew-reports": crewReports });
    // As npm says in which folder it was called.
    const types = { REPORT_TYPES: "crew-reports", INIT_CWD: packages.directory };
    const run = start({ PORT: String(port), LOG_LEVEL: "warn", ...types }, dataDir);
    await run.says("The report gateway is ready");
    expect(run.output()).not.toContain("Loaded demo data");
    expect(await countSchedules(run, port)).toBe(1);
    expect(await apiStatus(run, port)).toBe(200);
    expect(run.output()).toContain("Report types: PROXY, PROXY_DOMAIN, CREW\n");
    expect(await readReport(run, port, "CREW")).toBe("\uFEFFname\r\nAda\r\n");
    const [, databaseUrl] = /^ {2}psql '(.+)'$/m.exec(run.output())!;
    const database = createDatabase({ url: databaseUrl!, max: 1 });
    const users = createUserStore(database);
    expect(await users.find("reader")).toMatchObject({ authorities: expect.arrayContaining(["MAY_SEE_THE_CREW"]) });
    expect(await users.find("guest")).toMatchObject({ authorities: [] });
    await database.close();

    const third = start({ PORT: String(await findFreePort()) }, dataDir);
    expect(await third.ended).toBe(1);
    expect(third.output()).toContain(`Another start (process ${run.child.pid}) is using ${dataDir}`);

    run.child.kill("SIGKILL");
    await run.ended;
    const fourth = start({ PORT: String(port), LOG_LEVEL: "warn" }, dataDir);
    await fourth.says("The report gateway is ready");
    fourth.child.kill("SIGINT");
    expect(await fourth.ended).toBe(0);
  });
});

test("a taken port is said in one line with a way out, before anything is started", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const run = start({ PORT: String(port) });
  expect(await run.ended).toBe(1);
  expect(run.output()).toMatch(
    new RegExp(`^Port ${port} is taken by another program. Choose another: PORT=\\d+ npm start\\n$`),
  );
  server.close();
});

test("a production start refuses embedded and generated values, all at once", async () => {
  const run = start({ NODE_ENV: "production" });
  expect(await run.ended).toBe(78);
  for (const name of ["DATABASE_URL", "STORAGE_DIR or MINIO_ENDPOINT", "AUTH_JWT_SECRET or AUTH_JWKS_URL"]) {
    expect(run.output()).toContain(`- ${name} must be set`);
  }
});

test(
  "a wrong variable ends the start with what API and worker say of it, and leaves nothing running",
  { timeout: 120_000 },
  async () => {
    const run = start({ PORT: String(await findFreePort()), WORKER_CONCURRENCY: "many", TRUSTED_PROXY_HOPS: "few" });
    expect(await run.ended).toBe(78);
    expect(run.output()).toMatch(/WORKER_CONCURRENCY|TRUSTED_PROXY_HOPS/);
    expect(run.output()).toContain("Stopping Postgres.");
    expect(run.output()).not.toMatch(/^ +at .*:\d+:\d+/m);
  },
);

test("--help says what there is, and an unknown option is refused with the same text", async () => {
  const help = spawn(process.execPath, ["--conditions=@reports/source", script, "--help"]);
  let text = "";
  help.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  expect(await new Promise((resolve) => help.once("close", resolve))).toBe(0);
  expect(text).toContain("npm start -- --data DIR");
  const unknown = spawn(process.execPath, ["--conditions=@reports/source", script, "--frobnicate"], {
    stdio: "ignore",
  });
  expect(await new Promise((resolve) => unknown.once("close", resolve))).toBe(1);
});
