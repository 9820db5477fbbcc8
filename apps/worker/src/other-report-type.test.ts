import {
  builtInReportTypes,
  createCatalogue,
  isTerminal,
  reportFormats,
  startInputFromBody,
  startReport,
  type Report,
  unguardedStarts,
} from "@reports/core";
import { newId } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { crewReport } from "./test/crew-report.fixture.ts";
import { crewModule, installReportPackage } from "./test/install-report-package.ts";
import { startWorkerProcesses } from "./test/worker-process.ts";

const catalogue = createCatalogue([...builtInReportTypes, crewReport]);

/** A worker process with its renderers, where a package of one report type more is installed. */
async function startWorkerOfCrew() {
  const packages = await installReportPackage(crewModule);
  const processes = await startWorkerProcesses();
  const { reports, files } = processes;
  await processes.worker({ WORKER_CONCURRENCY: "1", ...packages.environment });
  return {
    async run(options: object): Promise<Report> {
      const input = startInputFromBody(catalogue.find("CREW")!, { reportType: "CREW", ...options });
      const context = { principalId: "basic:alice", coalesce: false, traceparent: null, requiredAuthority: null };
      const { report } = await startReport({ reports, newId, ...unguardedStarts }, context, input);
      return waitFor(
        async () => {
          const found = await reports.find(report.id);
          return found !== null && isTerminal(found.status) && found;
        },
        { what: "the report to end", timeoutMs: 20_000 },
      );
    },
    async read(report: Report): Promise<Buffer> {
      const { body } = await files.open(report.file!.storageKey);
      return Buffer.concat(await body.toArray());
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      await packages[Symbol.asyncDispose]();
    },
  };
}

test(
  "a type that is registered, and nothing else, is reported in every format, its rows being objects",
  { timeout: 60_000 },
  async () => {
    await using worker = await startWorkerOfCrew();
    const firstBytes = {
      pdf: "%PDF-",
      xlsx: "PK\u0003\u0004",
      csv: "name,team",
      json: '{"report":',
      ndjson: '{"name":',
    };
    for (const format of reportFormats) {
      const options = { format, csvBom: false, timezone: "Europe/Berlin", searchParam: { team: ["edge"] } };
      const report = await worker.run(options);
      expect(report).toMatchObject({ status: "SUCCEEDED", rowCount: 3, error: null });
      const bytes = await worker.read(report);
      expect(bytes.subarray(0, firstBytes[format].length).toString("latin1")).toBe(firstBytes[format]);
    }
    const csv = await worker.run({ format: "csv", csvBom: false, timezone: "Europe/Berlin" });
    expect((await worker.read(csv)).toString()).toBe(
      [
        "name,team,since,shifts,pay,skills",
        'Ada,core,2026-10-25T02:30:00+02:00,3,12345678901234567.89,"sql; c, c++"',
        '\'=Bob,edge,2026-10-25T02:30:00+01:00,0,,""',
        "Šárka 🙂,edge,,12,0.10,dns",
        "דנה,edge,,,-1,",
        "",
      ].join("\r\n"),
    );
  },
);

test("objects beyond the limit of a format end the report as REPORT_TOO_LARGE, naming formats that fit", async () => {
  await using worker = await startWorkerOfCrew();
  expect(await worker.run({ format: "ndjson" })).toMatchObject({
    status: "FAILED",
    file: null,
    error: {
      code: "REPORT_TOO_LARGE",
      detail:
        "The report has more than 3 rows, and ndjson holds at most 3. Ask for pdf or xlsx or csv or json, or narrow its filters.",
    },
  });
});
