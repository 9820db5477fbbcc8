import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCurl, isProcessAlive, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countSchedules,
  createStarts,
  get,
  paste,
  readmeCode,
  readProcesses,
  untilReady,
  type Start,
} from "./start.fixture.ts";

const starts = createStarts();
let run: Start;

beforeAll(async () => {
  run = await starts.start({ LOG_LEVEL: "warn" });
  await untilReady(run);
});
afterAll(async () => starts[Symbol.asyncDispose]());

/** The commands of curl that the start prints. */
function printedCommands(): string {
  return /\nYour first report: .*\n((?: {2}.*\n)+)/.exec(run.command.log())![1]!;
}

test("a first start with no settings becomes ready and loads the demo data", async () => {
  expect(run.command.log()).toContain("Loaded demo data: 60 proxies and 2500 domains.");
  expect((await get(run, "/report-types")).status).toBe(200);
  expect(await countSchedules(run)).toBe(1);
});

describe("the commands that the start prints and those of README", { concurrent: true }, () => {
  test.skipIf(!hasCurl())("save the reports with curl, also when pasted twice", async () => {
    const first = readmeCode("With curl", "sh", run);
    const wrong = readmeCode("When something is wrong", "sh", run);
    const refused = [...wrong.matchAll(/^(curl .*?) +# (\d{3}):/gm)];
    const statuses = refused.map(([, command]) => `${command} -o /dev/null -w '%{http_code}\\n'`).join("\n");
    const folder = starts.folderBeside(".");
    for (let time = 1; time <= 2; time++) {
      await paste(printedCommands(), folder);
      expect(readFileSync(join(folder, "domains.pdf"), "latin1")).toMatch(/^%PDF-/);
      const told = await paste(`exec 3>&1 >/dev/null\n${first}\nexec >&3\n${statuses}`, folder);
      expect(readFileSync(join(folder, "expired.csv"), "utf8")).toMatch(/^\uFEFFhostname,/);
      expect(told.trim().split("\n")).toEqual(refused.map(([, , status]) => status));
    }
  });

  test("save the report with the command line and with the TypeScript client", async () => {
    const shell = starts.folderBeside(".");
    const printed = /^ {2}REPORTS_URL=.* npm exec --no -- reports run .*$/m.exec(run.command.log())![0];
    await paste(printed, shell);
    expect(readFileSync(join(shell, "domains.pdf"), "latin1")).toMatch(/^%PDF-/);
    const told = await paste(readmeCode("With the command line", "sh", run), shell);
    expect(told.split("\n")[0]).toBe("expired.csv");
    expect(told).toMatch(/^[0-9a-f-]{36}\tPROXY_DOMAIN\tSUCCEEDED\t/m);
    const saved = readFileSync(join(shell, "expired.csv"), "utf8");
    expect(saved).toMatch(/^\uFEFFhostname,/);

    const project = starts.folderBeside("apps/cli");
    writeFileSync(join(project, "first-report.mts"), readmeCode("From TypeScript", "ts", run));
    // An installed client is built; the checkout's is not.
    const said = await paste("node --conditions=@reports/source first-report.mts", project);
    const rows = saved.trim().split("\r\n").length - 1;
    expect(said).toBe(`${rows} domains need a new certificate.\n`);
    expect(readFileSync(join(project, "expired.csv"), "utf8").split("\r\n")).toHaveLength(rows + 2);
  });

  test("list the demo's schedule", async () => {
    const schedules = /^ {2}REPORTS_URL=.* npm exec --no -- reports schedules list$/m.exec(run.command.log())![0];
    expect(await paste(schedules, starts.folderBeside("."))).toMatch(
      /^[0-9a-f-]{36}\tEvery morning\tPROXY_DOMAIN\t0 6 \* \* \*\tUTC\tACTIVE\t.*\n$/,
    );
  });
});

/** Pastes commands and returns the names of the saved files. `hasAnswer` resolves at the first response to the download. */
function pasteSlowly(commands: string): { readonly saved: Promise<readonly string[]>; hasAnswer: Promise<unknown> } {
  const folder = starts.newFolder();
  let ended = false;
  const pasted = paste(commands.replaceAll("wait=30", "wait=1"), folder).finally(() => (ended = true));
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

test.skipIf(!hasCurl())("pasted commands never save a record as the file of a slow report", async () => {
  const [, worker] = readProcesses(run);
  process.kill(worker!, "SIGSTOP");
  const printed = pasteSlowly(printedCommands());
  const first = pasteSlowly(readmeCode("With curl", "sh", run));
  try {
    await Promise.all([printed.hasAnswer, first.hasAnswer]);
  } finally {
    process.kill(worker!, "SIGCONT");
  }
  expect(await printed.saved).toEqual(["domains.pdf"]);
  expect(await first.saved).toEqual(["expired.csv"]);
});

test("a crashed worker comes back, and SIGTERM ends API, worker and Postgres in order", async () => {
  const [owner, worker, api] = readProcesses(run);
  expect(owner).toBe(run.command.pid);
  process.kill(worker!, "SIGKILL");
  await run.command.says("worker  ended unexpectedly (SIGKILL), starting again in 0.5 s");
  const restarted = await waitFor(() => readProcesses(run).find((pid) => ![owner, worker, api].includes(pid)), {
    what: "another worker process",
  });
  expect(isProcessAlive(restarted)).toBe(true);
  expect(isProcessAlive(api!)).toBe(true);

  const postgres = Number(readFileSync(join(run.dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  run.command.signal("SIGTERM");
  expect(await run.command.ended).toBe(0);
  expect(run.command.log()).toMatch(/Stopping the api\.[^]*Stopping the worker\.[^]*Stopping Postgres\./);
  for (const pid of [api!, restarted, postgres]) expect(isProcessAlive(pid)).toBe(false);
});
