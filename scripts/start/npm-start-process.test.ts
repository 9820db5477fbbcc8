import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, createUserStore } from "@reports/db";
import {
  findFreePort,
  hasCurl,
  installReportTypePackages,
  isFullTestRun,
  isProcessAlive,
  signalIfRunning,
  waitFor,
} from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test, vi, type TestContext } from "vitest";
import { startIssuer } from "../platform/issuer.ts";
import { findOutputDifferences } from "../test/documents/find-output-differences.ts";
import { runDocumentPage } from "../test/documents/run-document-page.ts";
import { lockDataFolder } from "./data-folder.ts";
import {
  countSchedules,
  createNpmStartFixture,
  replacePagePlaceholders,
  getAsReader,
  runPastedCommands,
  readReadmeCommands,
  readProcessIds,
  readStartVariables,
  waitForNpmStart,
  type NpmStartProcess,
} from "./npm-start-process.fixture.ts";
import { crewReports } from "./crew-reports.fixture.ts";

// The commands of a page start many processes one after another, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const root = join(import.meta.dirname, "../..");
/** Pages whose commands run. Every run has README.md and the tutorial. The guides have many commands, so only CI runs them. */
const pages = globSync(isFullTestRun ? "docs/{start,guides/{calling,extending}}/*.md" : "docs/start/*.md", {
  cwd: root,
});

/** Longer than a page may take. */
const tokenLifetimeSeconds = 3_600;

const parts = new AsyncDisposableStack();
const starts = parts.use(createNpmStartFixture());
/** The latest start. All starts use the data folder of the first one. */
let run: NpmStartProcess;
/** Port of the webhook receiver, for which the documents write 4000. */
let receiverPort: number;
let issuer: Awaited<ReturnType<typeof startIssuer>>;

beforeAll(async () => {
  receiverPort = await findFreePort();
  issuer = parts.use(await startIssuer());
  run = await starts.start({
    LOG_LEVEL: "warn",
    // The documents together start more reports as `reader` than the default limit allows, so this user has no limit.
    START_LIMITS: "REGISTRY_READ:0/min:0",
    // Guides use tokens of an issuer, too. With an issuer, `npm start` sets no secret for tokens of the service.
    ...issuer.variables,
    AUTH_JWT_SECRET: "a secret for the tokens of this test",
    ...readStartVariables("docs/guides/calling/receive-webhooks.md", fillReceiverPort),
  });
  await waitForNpmStart(run);
  // Longer than the service may take to become ready.
}, 240_000);
afterAll(async () => parts.disposeAsync());

function fillReceiverPort(text: string): string {
  return text.replaceAll(/\b4000\b/g, String(receiverPort));
}

function printedCommands(): string {
  return /\nYour first report: .*\n((?: {2}.*\n)+)/.exec(run.command.log())![1]!;
}

test("the first `npm start` without settings becomes ready and loads the demo data", async () => {
  expect(run.command.log()).toContain("Loaded demo data: 60 proxies and 2500 domains.");
  expect((await getAsReader(run, "/report-types")).status).toBe(200);
  expect(await countSchedules(run)).toBe(1);
});

describe("commands that `npm start` prints", { concurrent: true }, () => {
  test.skipIf(!hasCurl())("the curl commands that `npm start` prints save a report, also if pasted twice", async () => {
    const folder = starts.newProject();
    for (let time = 1; time <= 2; time++) {
      await runPastedCommands(printedCommands(), folder);
      expect(readFileSync(join(folder, "domains.pdf"), "latin1")).toMatch(/^%PDF-/);
    }
  });

  test("the CLI command that `npm start` prints saves a report", async () => {
    const shell = starts.newProject();
    const printed = /^ {2}REPORTS_URL=.* npm exec --no -- reports run .*$/m.exec(run.command.log())![0];
    await runPastedCommands(printed, shell);
    expect(readFileSync(join(shell, "domains.pdf"), "latin1")).toMatch(/^%PDF-/);
  });

  test("the schedule command that `npm start` prints lists the demo schedule", async () => {
    const schedules = /^ {2}REPORTS_URL=.* npm exec --no -- reports schedules list$/m.exec(run.command.log())![0];
    expect(await runPastedCommands(schedules, starts.newProject())).toMatch(
      /^[0-9a-f-]{36}\tEvery morning\tPROXY_DOMAIN\t0 6 \* \* \*\tUTC\tACTIVE\t.*\n$/,
    );
  });
});

async function readReport(type: string): Promise<string> {
  const { id } = (await (await getAsReader(run, `/report?reportType=${type}&format=csv`)).json()) as { id: string };
  await getAsReader(run, `/reports/${id}`, { Prefer: "wait=60" });
  const file = await getAsReader(run, `/report/download?reportType=${type}&id=${id}`);
  return Buffer.from(await file.arrayBuffer()).toString();
}

async function follow(page: string, folder: string): Promise<readonly string[]> {
  const fill = (text: string): string =>
    replacePagePlaceholders(run, fillReceiverPort(text)).replaceAll("https://login.example.com", issuer.url);
  // `reports login` writes its profiles into this folder, and not into the developer's.
  const profiles = { XDG_CONFIG_HOME: join(folder, "settings") };
  const ACCESS_TOKEN = issuer.token("alice", ["REPORT_PROXY"], tokenLifetimeSeconds);
  const environment = { ...process.env, ...profiles, ACCESS_TOKEN };
  const { differences, printed } = await runDocumentPage(join(root, page), { root, folder, fill, environment });
  expect(differences).toEqual([]);
  return printed;
}

describe.skipIf(!hasCurl())("the documents", () => {
  test("the three ways in README.md save the same report, curl also if pasted twice", async () => {
    const folder = starts.newProject();
    const read = (name: string): string => readFileSync(join(folder, name), "utf8");
    const printed = await follow("README.md", folder);
    const saved = read("expired.csv");
    expect(saved).toMatch(/^\uFEFFhostname,/);
    for (const name of ["certificates.csv", "domains.csv"]) expect(read(name)).toBe(saved);
    const rows = saved.trim().split("\r\n").length - 1;
    expect(printed).toContain(`${rows} domains need a new certificate.\n`);
    await runPastedCommands(readReadmeCommands("With curl", run), folder);
    expect(read("expired.csv")).toBe(saved);
  });

  test.each(["README.md", "docs/start/first-report.md"])("%s shows the output of `npm start`", (page) => {
    const text = replacePagePlaceholders(run, readFileSync(join(root, page), "utf8"));
    const [, shown = ""] = /^```text\n(The report gateway is ready[^]*?)^```/m.exec(text) ?? [];
    const log = run.command.log();
    expect(findOutputDifferences("text", shown, log.slice(log.indexOf("The report gateway is ready")))).toEqual([]);
  });

  test.each(pages.toSorted())("the commands of the page %s return the output that the page shows", async (page) => {
    expect(await follow(page, starts.newProject())).not.toEqual([]);
  });
});

/**
 * Runs download commands with a short wait. `saved` resolves with the names of the saved files, `hasAnswer` when the first response has been saved.
 */
function pasteSlowly(commands: string): { readonly saved: Promise<readonly string[]>; hasAnswer: Promise<unknown> } {
  const folder = starts.newFolder();
  let ended = false;
  const pasted = runPastedCommands(commands.replaceAll("wait=30", "wait=1"), folder).finally(() => (ended = true));
  const saved = pasted.then(() => {
    const names = readdirSync(folder);
    for (const name of names) expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/^\{/);
    return names;
  });
  const hasAnswer = waitFor(() => ended || readdirSync(folder).length > 0, {
    what: "the first response to the download",
  });
  return { saved, hasAnswer };
}

test.skipIf(!hasCurl())("pasted curl commands never save the JSON record of a slow report as its file", async () => {
  const [, worker] = readProcessIds(run);
  process.kill(worker!, "SIGSTOP");
  const printed = pasteSlowly(printedCommands());
  const first = pasteSlowly(readReadmeCommands("With curl", run));
  try {
    await Promise.all([printed.hasAnswer, first.hasAnswer]);
  } finally {
    process.kill(worker!, "SIGCONT");
  }
  expect(await printed.saved).toEqual(["domains.pdf"]);
  expect(await first.saved).toEqual(["expired.csv"]);
});

/** Resolves with the process IDs of `npm start`, the worker and the API, when all three run. */
async function waitForProcesses(): Promise<readonly number[]> {
  // A worker that was stopped for long ends itself after it continues. Until it runs again, its process ID is missing.
  const ids = (): readonly number[] => readProcessIds(run);
  return waitFor(() => ids().length === 3 && ids(), { what: "the IDs of all three processes" });
}

test("`npm start` restarts a killed worker", async () => {
  const [owner, worker, api] = await waitForProcesses();
  expect(owner).toBe(run.command.pid);
  process.kill(worker!, "SIGKILL");
  await run.command.waitForLog("worker  ended unexpectedly (SIGKILL), starting again in ");
  const restarted = await waitFor(() => readProcessIds(run).find((pid) => ![owner, worker, api].includes(pid)), {
    what: "another worker process",
  });
  expect(isProcessAlive(restarted)).toBe(true);
  expect(isProcessAlive(api!)).toBe(true);
});

test("a data folder that `npm start` uses cannot be locked", async () => {
  await expect(lockDataFolder(run.dataDir)).rejects.toThrow(
    `Another start (process ${run.command.pid}) is using ${run.dataDir}`,
  );
});

// In every run, the test before this one tests the same function in this process.
test.runIf(isFullTestRun)("`npm start` refuses a data folder that another start uses", async () => {
  const second = await starts.start({}, run.dataDir);
  expect(await second.command.ended).toBe(1);
  expect(second.command.log()).toContain(`Another start (process ${run.command.pid}) is using ${run.dataDir}`);
});

/** Kills the latest start. Returns its API and worker, which still run. */
async function killRun(onTestFailed: TestContext["onTestFailed"]): Promise<readonly number[]> {
  const leftovers = (await waitForProcesses()).slice(1);
  onTestFailed(() => {
    for (const pid of leftovers) signalIfRunning(pid, "SIGKILL");
  });
  expect(leftovers.filter(isProcessAlive)).toHaveLength(2);
  run.command.signal("SIGKILL");
  await run.command.ended;
  return leftovers;
}

test.runIf(!isFullTestRun)(
  "a start with an invalid variable claims the data of a killed start, and stops",
  async ({ onTestFailed }) => {
    const leftovers = await killRun(onTestFailed);
    const invalid = { WORKER_CONCURRENCY: "many", TRUSTED_PROXY_HOPS: "few" };
    const { command } = await starts.start({ PORT: String(run.port), ...invalid }, run.dataDir);
    expect(await command.ended).toBe(78);
    expect(leftovers.filter(isProcessAlive)).toEqual([]);
    expect(command.log()).not.toContain("Loaded demo data");
    expect(command.log()).toMatch(/WORKER_CONCURRENCY|TRUSTED_PROXY_HOPS/);
    expect(command.log()).toMatch(/Stopping the api\.[^]*Stopping the worker\.[^]*Stopping Postgres\./);
    expect(command.log()).not.toMatch(/^ +at .*:\d+:\d+/m);
  },
);

// Other runs have the test before this one, which claims the data. In every run, report-types.test.ts reads a new report type.
test.runIf(isFullTestRun)(
  "`npm start` ends the processes of a killed start, uses its port and data, and serves a new report type",
  async ({ onTestFailed }) => {
    const leftovers = await killRun(onTestFailed);
    const packages = parts.use(await installReportTypePackages({ "crew-reports": crewReports }));
    // npm sets INIT_CWD to the folder from which the user called npm. The package is installed there.
    const types = { REPORT_TYPES: "crew-reports", INIT_CWD: packages.directory };
    run = await starts.start({ PORT: String(run.port), LOG_LEVEL: "warn", ...types }, run.dataDir);
    await waitForNpmStart(run);
    expect(leftovers.filter(isProcessAlive)).toEqual([]);
    expect(run.command.log()).not.toContain("Loaded demo data");
    expect(await countSchedules(run)).toBe(1);

    expect(run.command.log()).toContain("Report types: PROXY, PROXY_DOMAIN, CREW\n");
    expect(await readReport("CREW")).toBe("\uFEFFname\r\nAda\r\n");
    const [, databaseUrl] = /^ {2}psql '(.+)'$/m.exec(run.command.log())!;
    const database = createDatabase({ url: databaseUrl!, max: 1 });
    const users = createUserStore(database);
    expect(await users.find("reader")).toMatchObject({ authorities: expect.arrayContaining(["MAY_SEE_THE_CREW"]) });
    expect(await users.find("guest")).toMatchObject({ authorities: [] });
    await database.close();
  },
);

// Other runs have the start with an invalid variable, which stops in this order. In every run, SIGINT ends a start.
test.runIf(isFullTestRun)("after SIGTERM, `npm start` ends API and worker, and Postgres last", async () => {
  const [, worker, api] = await waitForProcesses();
  const postgres = Number(readFileSync(join(run.dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  run.command.signal("SIGTERM");
  expect(await run.command.ended).toBe(0);
  expect(run.command.log()).toMatch(/Stopping the api\.[^]*Stopping the worker\.[^]*Stopping Postgres\./);
  for (const pid of [api!, worker!, postgres]) expect(isProcessAlive(pid)).toBe(false);
});

/** Ends the latest start if it still runs, because only one start can use the data folder. */
async function endRun(): Promise<void> {
  run.command.signal("SIGTERM");
  await run.command.ended;
}

// Other runs have a start with these variables that claims the data of a killed start.
test.runIf(isFullTestRun)(
  "`npm start` with an invalid variable ends with the message of the API or worker",
  async () => {
    await endRun();
    const { command } = await starts.start({ WORKER_CONCURRENCY: "many", TRUSTED_PROXY_HOPS: "few" }, run.dataDir);
    expect(await command.ended).toBe(78);
    expect(command.log()).toMatch(/WORKER_CONCURRENCY|TRUSTED_PROXY_HOPS/);
    expect(command.log()).toContain("Stopping Postgres.");
    expect(command.log()).not.toMatch(/^ +at .*:\d+:\d+/m);
  },
);

test("SIGINT ends an `npm start` that is not ready yet, and its Postgres", async () => {
  await endRun();
  const { command } = await starts.start({}, run.dataDir);
  await command.waitForLog("Starting the embedded Postgres.", 120_000);
  command.signal("SIGINT");
  expect(await command.ended).toBe(0);
  expect(command.log()).toContain("Stopping Postgres.");
});
