import { createFaultProxy, waitFor } from "@reports/testing";
import { expect } from "vitest";
import { startWorkerProcesses, type WorkerClocksOf } from "./worker-process.ts";

/** Copies of the inventory that keep a report sorting until somebody stops it. */
export const endless = 200_000;

/** A worker whose Postgres does not answer ends itself with exit code 1. */
export async function endsWithoutPostgres(clocks: WorkerClocksOf): Promise<void> {
  await using processes = await startWorkerProcesses({ clocks });
  const { hostname, port } = new URL(processes.url);
  await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  const url = new URL(processes.url);
  url.host = `${proxy.host}:${proxy.port}`;
  const worker = await processes.worker({ DATABASE_URL: url.href });
  await proxy.set({ kind: "black-hole" });
  expect(await worker.ended).toBe(1);
  // Heartbeats and polls for jobs have the same grace: either may notice first.
  expect(worker.log()).toMatch(/the worker's heartbeat is lost|the job runner ended/);
}

/** A worker whose heartbeat alone is not recorded ends itself with exit code 1. */
export async function endsWithoutHeartbeat(clocks: WorkerClocksOf): Promise<void> {
  await using processes = await startWorkerProcesses({ clocks });
  const worker = await processes.worker();
  await processes.sql.begin(async (held) => {
    await held`lock table worker_heartbeats in share mode`;
    expect(await worker.ended).toBe(1);
  });
  expect(worker.log()).toContain("the worker's heartbeat is lost");
  expect(worker.log()).not.toContain("the job runner ended");
}

/** A killed worker's report is taken over and ends, and the dead worker leaves no lock and no job. */
export async function isTakenOver(clocks: WorkerClocksOf): Promise<void> {
  await using processes = await startWorkerProcesses({ clocks });
  const first = await processes.worker();
  await processes.enlarge(endless);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  first.signal("SIGKILL");
  await first.ended;
  await processes.enlarge(1);
  await waitFor(async () => (await processes.queries()).length === 0, { what: "the dead worker's query to end" });
  const second = await processes.worker();
  await processes.until(id, "SUCCEEDED");
  const report = await processes.find(id);
  expect(report).toMatchObject({ attempt: 2, failures: 0 });
  const events = await processes.reports.listEvents(id);
  expect(events.map(({ to, attempt }) => `${to} ${attempt}`)).toEqual([
    "QUEUED 0",
    "RUNNING 1",
    "QUEUED 1",
    "RUNNING 2",
    "SUCCEEDED 2",
  ]);
  expect(await second.stop()).toBe(0);
  expect(await processes.leftovers()).toContain(report.file!.storageKey);
  // The dead worker's own scratch folder is left until its mark has stood still for minutes (spool-folder.test.ts).
  const scratch = (await processes.leftovers()).filter((path) => path.includes(id) && !path.startsWith("reports/"));
  expect(scratch.filter((path) => !path.includes(`${id}-1`))).toEqual([]);
  expect(await processes.sql`select from report_queue.jobs`).toHaveLength(0);
}
