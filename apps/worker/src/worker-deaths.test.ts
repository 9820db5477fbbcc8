import { createFaultProxy, isFullTestRun, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import {
  fastTimings,
  fastTimingsWithLongGrace,
  rowCopiesForEndlessSort,
  startWorkerProcesses,
} from "./test/worker-process.ts";

const clocks = isFullTestRun ? "production" : fastTimings;
/** Long grace, so that on a busy machine the second worker does not count as dead. */
const clocksOfTwo = isFullTestRun ? "production" : fastTimingsWithLongGrace;

test.concurrent("a worker whose Postgres stops answering exits with code 1", async () => {
  await using processes = await startWorkerProcesses({ clocks });
  const { hostname, port } = new URL(processes.url);
  await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  const url = new URL(processes.url);
  url.host = `${proxy.host}:${proxy.port}`;
  const worker = await processes.worker({ DATABASE_URL: url.href });
  await proxy.set({ kind: "black-hole" });
  expect(await worker.ended).toBe(1);
  // Heartbeats and polls for jobs have the same grace, so either can notice the failure first.
  expect(worker.log()).toMatch(/the worker's heartbeat is lost|the job runner ended/);
}, 240_000);

test.concurrent("a worker whose heartbeat can't be recorded exits with code 1", async () => {
  await using processes = await startWorkerProcesses({ clocks });
  const worker = await processes.worker();
  await processes.sql.begin(async (held) => {
    await held`lock table worker_heartbeats in share mode`;
    expect(await worker.ended).toBe(1);
  });
  expect(worker.log()).toContain("the worker's heartbeat is lost");
  expect(worker.log()).not.toContain("the job runner ended");
}, 240_000);

test.concurrent("another worker finishes the report of a killed worker and leaves no lock or job", async () => {
  await using processes = await startWorkerProcesses({ clocks: clocksOfTwo });
  const first = await processes.worker();
  await processes.enlarge(rowCopiesForEndlessSort);
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
  // Files of the dead attempt stay until another worker removes its spool folder (spool-folder.test.ts).
  const scratch = (await processes.leftovers()).filter((path) => path.includes(id) && !path.startsWith("reports/"));
  expect(scratch.filter((path) => !path.includes(`${id}-1`))).toEqual([]);
  expect(await processes.sql`select from report_queue.jobs`).toHaveLength(0);
}, 240_000);

test.concurrent(
  "another worker makes a killed worker's additional format from the row snapshot",
  { skip: process.platform !== "linux", timeout: 360_000 },
  async () => {
    await using processes = await startWorkerProcesses({ clocks: clocksOfTwo });
    const first = await processes.worker();
    const id = await processes.start("csv", undefined, {}, { keepRows: true });
    await processes.until(id, "SUCCEEDED", 120_000);
    const report = await processes.find(id);
    // Stopped renderers can't finish the rendition before their worker is killed.
    for (const pid of first.renderers()) process.kill(pid, "SIGSTOP");
    const fileId = await processes.addFile(report, { format: "csv" });
    const hasBegun = async () => (await processes.leftovers()).some((path) => path.includes(`${fileId}-1-source`));
    await waitFor(hasBegun, { what: "the kept rows to be fetched", timeoutMs: 120_000 });
    first.signal("SIGKILL");
    await first.ended;
    await processes.sql`delete from stored_domains`;
    await processes.worker();
    const find = async () => (await processes.reports.findFile(id, fileId))!;
    await waitFor(async () => (await find()).status === "SUCCEEDED", {
      what: "the further file",
      timeoutMs: 120_000,
    });
    const made = await find();
    expect(made).toMatchObject({ attempt: 2, failures: 0, rowCount: 200, file: { sha256: report.file!.sha256 } });
    const { storageKey } = (await processes.reports.findKeptRows(id))!;
    const stored = (await processes.leftovers()).filter((path) => path.startsWith("reports/"));
    expect(new Set(stored)).toEqual(new Set([report.file!.storageKey, storageKey, made.file!.storageKey]));
    expect(stored).toHaveLength(3);
  },
);
