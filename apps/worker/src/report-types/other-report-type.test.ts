import {
  builtInReportTypes,
  createCatalogue,
  isTerminal,
  reportFormats,
  startInputFromBody,
  startReport,
  type Report,
  unguardedStarts,
} from "@reports/core/report";
import { newId } from "@reports/runtime";
import { isFullTestRun, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { crewReport } from "../test/crew-report.fixture.ts";
import { crewModule, installReportPackage, olderCrewModule, stockModule } from "../test/install-report-package.ts";
import { stockReport } from "../test/stock-report.fixture.ts";
import { startWorkerProcesses, type WorkerProcess, type WorkerProcesses } from "../test/worker-process.ts";

const catalogue = createCatalogue([...builtInReportTypes, crewReport]);

vi.setConfig({ testTimeout: 180_000 });

const parts = new AsyncDisposableStack();
let processes: WorkerProcesses;
/** A report that waits until the view of its type has all columns. */
let stockId: string | undefined;
let worker: WorkerProcess | undefined;
beforeAll(async () => {
  processes = parts.use(await startWorkerProcesses());
}, 180_000);
afterAll(async () => parts.disposeAsync());

/** A worker that knows all types and filters. The view of the type STOCK lacks a column until a test adds it. */
async function startNewer(): Promise<WorkerProcess> {
  const newer = parts.use(await installReportPackage(crewModule, stockModule));
  await processes.sql`create table items (item text, amount int)`;
  await processes.sql`insert into items values ('bolt', 3), ('nut', 4)`;
  await processes.sql`create view stock as select item from items`;
  return processes.worker(newer.environment);
}

async function run(options: object): Promise<Report> {
  const { reports } = processes;
  const input = startInputFromBody(catalogue.find("CREW")!, { reportType: "CREW", ...options }, new Date());
  const context = { principalId: "basic:alice", coalesce: false, traceparent: null, requiredAuthority: null };
  const { report } = await startReport({ reports, newId, ...unguardedStarts }, context, input);
  return waitFor(
    async () => {
      const found = await reports.find(report.id);
      return found !== null && isTerminal(found.status) && found;
    },
    { what: "the report to end", timeoutMs: 110_000 },
  );
}

async function read(report: Report): Promise<Buffer> {
  const { body } = await processes.files.open(report.file!.storageKey);
  return Buffer.concat(await body.toArray());
}

// In every run, requeue.test.ts requeues reports with an unknown type or option, and runs them when they are known.
test.runIf(isFullTestRun)("reports with an unknown type or filter wait until a newer worker runs them", async () => {
  const older = parts.use(await installReportPackage(olderCrewModule));
  const { sql } = processes;
  const old = await processes.worker(older.environment);
  stockId = await processes.start("csv", stockReport);
  const id = await processes.start("csv", crewReport, { team: ["edge"] });
  const waits = [
    { id: stockId, because: "TYPE_UNKNOWN" },
    { id, because: "FILTER_UNKNOWN" },
  ];
  for (const { id: waiting, because } of waits) {
    const isRecorded = async () => (await processes.reports.listEvents(waiting)).at(-1)?.because === because;
    await waitFor(isRecorded, { what: `the event that says ${because}` });
  }
  await processes.until(await processes.start(), "SUCCEEDED");
  // Requeued jobs wait for a delay. Each pass makes them due and waits for the next requeue.
  const requeueCount = async (): Promise<number> =>
    (await sql`select min(hand_backs)::int as least from reports where status = 'QUEUED'`)[0]!["least"];
  for (let times = 2; times <= 3; times++) {
    await sql`update report_queue_quick._private_jobs set run_at = now()`;
    await waitFor(async () => (await requeueCount()) >= times, { what: `hand-back ${times}` });
  }
  for (const { id: waiting } of waits)
    expect(await processes.find(waiting)).toMatchObject({ status: "QUEUED", attempt: 0 });
  expect(await old.stop()).toBe(0);
  expect(old.log().split("report requeued")).toHaveLength(1 + waits.length);

  worker = await startNewer();
  await sql`update report_queue_quick._private_jobs set run_at = now()`;
  await processes.until(id, "SUCCEEDED");
  expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0, rowCount: 3 });
});

test("a view that does not match its type delays only the reports of that type", async () => {
  const { sql } = processes;
  const newer = (worker ??= await startNewer());
  const id = (stockId ??= await processes.start("csv", stockReport));
  const isRecorded = async () =>
    (await processes.reports.listEvents(id)).some(({ because }) => because === "TYPE_UNUSABLE");
  await waitFor(isRecorded, { what: "the event that says why it waits" });
  await processes.until(await processes.start(), "SUCCEEDED");
  const isReady = async () => (await fetch(`${newer.origin()}/health/ready`)).status === 200;
  await waitFor(isReady, { what: "the worker to be ready" });
  // The gauge of waiting reports is missing if the database answers late.
  const metrics = await waitFor(
    async () => {
      const text = await (await fetch(`${newer.origin()}/metrics`)).text();
      return text.includes("reports_awaiting_worker{") && text;
    },
    { what: "the number of waiting reports" },
  );
  expect(metrics).toContain('report_type_unusable{type="STOCK",reason="COLUMN_MISSING"} 1');
  expect(metrics).toContain('reports_awaiting_worker{type="STOCK",cause="TYPE_UNUSABLE"} 1');
  expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
  await sql`create or replace view stock as select item, amount from items`;
  await waitFor(() => newer.log().includes("a report type can be used again"), {
    what: "the next comparison with the view",
  });
  await sql`update report_queue_quick._private_jobs set run_at = now()`;
  await processes.until(id, "SUCCEEDED");
  expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0, rowCount: 2 });
  const isServed = async () => (await sql`select from worker_heartbeats where served_types ? 'STOCK'`).length === 1;
  await waitFor(isServed, { what: "the heartbeat that says so" });
});

test("a registered type whose rows are objects is rendered in every format", async () => {
  worker ??= await startNewer();
  const firstBytes = {
    pdf: "%PDF-",
    xlsx: "PK\u0003\u0004",
    csv: "name,team",
    json: '{"report":',
    ndjson: '{"name":',
  };
  const options = { csvBom: false, timezone: "Europe/Berlin" };
  const [csv, ...reports] = await Promise.all([
    run({ format: "csv", ...options }),
    ...reportFormats.map(async (format) => run({ format, ...options, searchParam: { team: ["edge"] } })),
  ]);
  for (const [index, format] of reportFormats.entries()) {
    const report = reports[index]!;
    expect(report).toMatchObject({ status: "SUCCEEDED", rowCount: 3, error: null });
    const bytes = await read(report);
    expect(bytes.subarray(0, firstBytes[format].length).toString("latin1")).toBe(firstBytes[format]);
  }
  expect((await read(csv)).toString()).toBe(
    [
      "name,team,since,shifts,pay,skills",
      'Ada,core,2026-10-25T02:30:00+02:00,3,12345678901234567.89,"sql; c, c++"',
      '\'=Bob,edge,2026-10-25T02:30:00+01:00,0,,""',
      "Šárka 🙂,edge,,12,0.10,dns",
      "דנה,edge,,,-1,",
      "",
    ].join("\r\n"),
  );
});

test("more objects than a format allows end the report with REPORT_TOO_LARGE", async () => {
  worker ??= await startNewer();
  expect(await run({ format: "ndjson" })).toMatchObject({
    status: "FAILED",
    file: null,
    error: {
      code: "REPORT_TOO_LARGE",
      detail:
        "The report has more than 3 rows, and ndjson holds at most 3. Ask for pdf or xlsx or csv or json, or narrow its filters.",
    },
  });
});
