import { workerDeadAfterMs } from "@reports/core/report";
import { createFaultProxy, isFullTestRun, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import {
  fastTimingsWithLongGrace,
  rowCopiesForEndlessSort,
  startWorkerProcesses,
  type WorkerProcesses,
} from "./test/worker-process.ts";

/** Long grace, so that on a busy machine the second worker does not count as dead. */
const clocksOfTwo = isFullTestRun ? "production" : fastTimingsWithLongGrace;

// In every run, job-runner.test.ts ends a job runner whose polls are not answered.
test.runIf(isFullTestRun).concurrent(
  "a worker whose Postgres stops answering exits with code 1",
  async () => {
    await using processes = await startWorkerProcesses({ clocks: "production" });
    const { hostname, port } = new URL(processes.url);
    await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
    const url = new URL(processes.url);
    url.host = `${proxy.host}:${proxy.port}`;
    const worker = await processes.worker({ DATABASE_URL: url.href });
    await proxy.set({ kind: "black-hole" });
    expect(await worker.ended).toBe(1);
    // Heartbeats and polls for jobs have the same grace, so either can notice the failure first.
    expect(worker.log()).toMatch(/the worker's heartbeat is lost|the job runner ended/);
  },
  240_000,
);

// In every run, worker-heartbeat.test.ts reports a heartbeat that can't be recorded as lost.
test.runIf(isFullTestRun).concurrent(
  "a worker whose heartbeat can't be recorded exits with code 1",
  async () => {
    await using processes = await startWorkerProcesses({ clocks: "production" });
    const worker = await processes.worker();
    await processes.sql.begin(async (held) => {
      await held`lock table worker_heartbeats in share mode`;
      expect(await worker.ended).toBe(1);
    });
    expect(worker.log()).toContain("the worker's heartbeat is lost");
    expect(worker.log()).not.toContain("the job runner ended");
  },
  240_000,
);

const onLinux = process.platform === "linux";

test.concurrent(
  "another worker finishes a killed worker's report and additional format",
  { timeout: 360_000 },
  async () => {
    await using processes = await startWorkerProcesses({ clocks: clocksOfTwo });
    const first = await processes.worker({ WORKER_CONCURRENCY: "2" });
    const keptId = await processes.start("csv", undefined, {}, { keepRows: true });
    await processes.until(keptId, "SUCCEEDED", 120_000);
    const kept = await processes.find(keptId);
    await processes.enlarge(rowCopiesForEndlessSort);
    const id = await processes.start();
    await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
    const beginFile = async () => {
      // Stopped renderers can't finish the rendition before their worker is killed.
      for (const pid of first.renderers()) process.kill(pid, "SIGSTOP");
      const begun = await processes.addFile(kept, { format: "csv" });
      const hasBegun = async () => (await processes.leftovers()).some((path) => path.includes(`${begun}-1-source`));
      await waitFor(hasBegun, { what: "the kept rows to be fetched", timeoutMs: 120_000 });
      return begun;
    };
    // The renderers can be listed only on Linux. Elsewhere, only the second worker makes the file.
    const begunId = onLinux ? await beginFile() : null;
    first.signal("SIGKILL");
    await first.ended;
    const fileId = begunId ?? (await processes.addFile(kept, { format: "csv" }));
    await processes.enlarge(1);
    await waitFor(async () => (await processes.queries()).length === 0, { what: "the dead worker's query to end" });
    // The snapshot still has these rows.
    await processes.sql`delete from stored_domains where id in (select id from stored_domains limit 50)`;
    if (!isFullTestRun) await makeDead(processes);

    const second = await processes.worker();
    await processes.until(id, "SUCCEEDED");
    const report = await processes.find(id);
    expect(report).toMatchObject({ attempt: 2, failures: 0, rowCount: 150 });
    const events = await processes.reports.listEvents(id);
    expect(events.map(({ to, attempt }) => `${to} ${attempt}`)).toEqual([
      "QUEUED 0",
      "RUNNING 1",
      "QUEUED 1",
      "RUNNING 2",
      "SUCCEEDED 2",
    ]);
    const find = async () => (await processes.reports.findFile(keptId, fileId))!;
    await waitFor(async () => (await find()).status === "SUCCEEDED", { what: "the further file", timeoutMs: 120_000 });
    const made = await find();
    const expected = { failures: 0, rowCount: 200, file: { sha256: kept.file!.sha256 } };
    expect(made).toMatchObject({ ...expected, attempt: onLinux ? 2 : 1 });
    expect(await second.stop()).toBe(0);
    const { storageKey } = (await processes.reports.findKeptRows(keptId))!;
    const leftovers = await processes.leftovers();
    expect(leftovers.filter((path) => path.startsWith("reports/")).toSorted()).toEqual(
      [report.file!.storageKey, kept.file!.storageKey, storageKey, made.file!.storageKey].toSorted(),
    );
    // Files of the dead attempts stay until another worker removes its spool folder (spool-folder.test.ts).
    const scratch = leftovers.filter((path) => path.includes(id) && !path.startsWith("reports/"));
    expect(scratch.filter((path) => !path.includes(`${id}-1`))).toEqual([]);
    expect(await processes.sql`select from report_queue.jobs`).toHaveLength(0);
  },
);

/** Lets the records of the killed worker look as old as those of a dead worker. Only CI waits until they are. */
async function makeDead({ sql }: WorkerProcesses): Promise<void> {
  const age = sql`make_interval(secs => ${workerDeadAfterMs / 1000})`;
  await sql`update worker_heartbeats set beat_at = beat_at - ${age}`;
  await sql`update reports set lease_expires_at = lease_expires_at - ${age} where worker_id is not null`;
  await sql`update report_queue_quick._private_jobs set locked_at = locked_at - ${age} where locked_at is not null`;
}
