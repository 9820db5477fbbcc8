import { createDatabase, createUserStore } from "@reports/db";
import { installReportTypePackages, isProcessAlive, signalIfRunning } from "@reports/testing";
import { afterAll, describe, expect, test } from "vitest";
import {
  countSchedules,
  createNpmStartFixture,
  getAsReader,
  readProcessIds,
  waitForNpmStart,
  type NpmStartProcess,
} from "./npm-start-process.fixture.ts";

const starts = createNpmStartFixture();
let run: NpmStartProcess;

afterAll(async () => starts[Symbol.asyncDispose]());

const crewReports = `
  import { defineReportTypes } from "@reports/core/report-type";
  export default defineReportTypes([{
    authority: "MAY_SEE_THE_CREW",
    definition: {
      type: "CREW", version: 1, title: "Crew", columns: [{ key: "name", title: "Name", kind: "text" }],
      rows: { kind: "objects", async *rows() { yield { name: "Ada" }; } },
    },
  }]);`;

async function readReport(type: string): Promise<string> {
  const { id } = (await (await getAsReader(run, `/report?reportType=${type}&format=csv`)).json()) as { id: string };
  await getAsReader(run, `/reports/${id}`, { Prefer: "wait=60" });
  const file = await getAsReader(run, `/report/download?reportType=${type}&id=${id}`);
  return Buffer.from(await file.arrayBuffer()).toString();
}

describe("consecutive starts on one data folder", { timeout: 240_000 }, () => {
  test("`npm start` with an invalid variable ends with the message of the API or worker", async () => {
    run = await starts.start({ WORKER_CONCURRENCY: "many", TRUSTED_PROXY_HOPS: "few" });
    expect(await run.command.ended).toBe(78);
    expect(run.command.log()).toMatch(/WORKER_CONCURRENCY|TRUSTED_PROXY_HOPS/);
    expect(run.command.log()).toContain("Loaded demo data");
    expect(run.command.log()).toContain("Stopping Postgres.");
    expect(run.command.log()).not.toMatch(/^ +at .*:\d+:\d+/m);
  });

  test("the next `npm start` keeps the data and serves a newly installed report type", async () => {
    await using packages = await installReportTypePackages({ "crew-reports": crewReports });
    // npm sets INIT_CWD to the folder from which the user called npm. The package is installed there.
    const types = { REPORT_TYPES: "crew-reports", INIT_CWD: packages.directory };
    run = await starts.start({ LOG_LEVEL: "warn", ...types }, run.dataDir);
    await waitForNpmStart(run);
    expect(run.command.log()).not.toContain("Loaded demo data");
    expect(await countSchedules(run)).toBe(1);
    expect((await getAsReader(run, "/report-types")).status).toBe(200);
    expect(run.command.log()).toContain("Report types: PROXY, PROXY_DOMAIN, CREW\n");
    expect(await readReport("CREW")).toBe("\uFEFFname\r\nAda\r\n");
    const [, databaseUrl] = /^ {2}psql '(.+)'$/m.exec(run.command.log())!;
    const database = createDatabase({ url: databaseUrl!, max: 1 });
    const users = createUserStore(database);
    expect(await users.find("reader")).toMatchObject({ authorities: expect.arrayContaining(["MAY_SEE_THE_CREW"]) });
    expect(await users.find("guest")).toMatchObject({ authorities: [] });
    await database.close();
  });

  test("`npm start` refuses a data folder that another start uses", async () => {
    const second = await starts.start({}, run.dataDir);
    expect(await second.command.ended).toBe(1);
    expect(second.command.log()).toContain(`Another start (process ${run.command.pid}) is using ${run.dataDir}`);
  });

  test("`npm start` ends the processes of a killed start and uses its port and data", async ({ onTestFailed }) => {
    const leftovers = readProcessIds(run).slice(1);
    onTestFailed(() => {
      for (const pid of leftovers) signalIfRunning(pid, "SIGKILL");
    });
    expect(leftovers.filter(isProcessAlive)).toHaveLength(2);
    run.command.signal("SIGKILL");
    await run.command.ended;
    run = await starts.start({ PORT: String(run.port), LOG_LEVEL: "warn" }, run.dataDir);
    await waitForNpmStart(run);
    expect(leftovers.filter(isProcessAlive)).toEqual([]);
    expect(await countSchedules(run)).toBe(1);
    run.command.signal("SIGINT");
    expect(await run.command.ended).toBe(0);
  });
});
