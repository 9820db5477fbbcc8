import { isFullTestRun, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { rowCopiesForEndlessSort, startWorkerProcesses } from "./test/worker-process.ts";

test.concurrent("a worker that serves one lane takes no report of another lane", async () => {
  await using processes = await startWorkerProcesses();
  await processes.worker({ WORKER_LANES: "bulk" });
  const quick = await processes.start();
  const bulk = await processes.start();
  await processes.sql`update reports set lane = 'bulk' where id = ${bulk}`;
  await processes.sql`select enqueue_reports(array[${bulk}]::uuid[], 0, 0)`;
  await processes.until(bulk, "SUCCEEDED");
  expect((await processes.find(quick)).status).toBe("QUEUED");
}, 180_000);

// In every run, lane-slot-gate.test.ts lets quarantined reports run alone.
test.runIf(isFullTestRun).concurrent(
  "a quarantined report waits until its worker is idle, and runs alone",
  async () => {
    await using processes = await startWorkerProcesses();
    // The quarantined report is queued before the worker starts, so its lane is not empty when the first job is taken.
    const suspect = await processes.start();
    await processes.sql`update reports set lane = 'suspect', created_at = now() + interval '1 h' where id = ${suspect}`;
    await processes.sql`select enqueue_reports(array[${suspect}]::uuid[], 3600000, 3600000)`;
    // Takes the drain lease for ever, so that the worker does not drain during this test.
    await processes.sql`insert into maintenance_turns (name, taken_at) values ('drain-1', 'infinity')`;
    await processes.enlarge(rowCopiesForEndlessSort);
    const company = await processes.start();
    await processes.worker({ WORKER_CONCURRENCY: "3" });
    await waitFor(async () => (await processes.queries()).length === 1, { what: "a report that runs" });
    await processes.sql`select enqueue_reports(array[${suspect}]::uuid[], 0, 0)`;
    // The quarantined report is due, and two slots are free. It still has to wait, because the worker is not idle.
    const passing = await processes.start();
    await waitFor(async () => (await processes.find(passing)).status === "RUNNING", {
      what: "another report to begin",
    });
    expect((await processes.find(suspect)).status).toBe("QUEUED");
    await processes.reports.cancel(company, "basic:alice");
    await processes.reports.cancel(passing, "basic:alice");
    await waitFor(async () => (await processes.find(suspect)).status === "RUNNING", {
      what: "the suspect to begin",
    });
    const late = await processes.start();
    await waitFor(async () => (await processes.queries()).length === 1, { what: "the suspect's query" });
    expect((await processes.find(late)).status).toBe("QUEUED");
    // The running query still sees the many copies. The next report must see only one.
    await processes.enlarge(1);
    await processes.reports.cancel(suspect, "basic:alice");
    await processes.until(late, "SUCCEEDED");
  },
  180_000,
);
