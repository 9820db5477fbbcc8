import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "@reports/core/report";
import { isFullTestRun, mountSmallDisk, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  fastTimingsWithLongGrace,
  startWorkerProcesses,
  type WorkerProcess,
  type WorkerProcesses,
} from "../test/worker-process.ts";

const mebibyte = 1024 ** 2;
const disk = mountSmallDisk(64 * mebibyte);
const mountedDisk = disk?.path ?? "";
afterAll(() => disk?.unmount());
const remount = (path: string, how: "ro" | "rw") => execFileSync("mount", ["-o", `remount,${how}`, path]);
const breakDisk = async (path: string): Promise<void> => {
  // Linux refuses this while the worker has a file open for writing.
  const isReadOnly = (): boolean => {
    try {
      remount(path, "ro");
      return true;
    } catch {
      return false;
    }
  };
  await waitFor(isReadOnly, { what: "the disk to become read-only" });
  onTestFinished(() => void remount(path, "rw"));
};

/**
 * While a worker tests its spool thoroughly, claims do not check it. If the spool broke during such a test, the worker could claim a report. So these
 * workers test it thoroughly only while it is broken.
 */
const clocks = {
  ...fastTimingsWithLongGrace,
  host: { ...fastTimingsWithLongGrace.host, proveEveryMs: 3_600_000 },
};

/** The worker closes an idle connection after five seconds, so a kept one can be closed while a request is sent. */
const newConnection = { headers: { connection: "close" } };

async function readiness(worker: WorkerProcess) {
  const response = await fetch(`${worker.origin()}/health/ready`, newConnection);
  const { checks } = (await response.json()) as { checks: Record<string, { status: string }> };
  return { status: response.status, spool: checks["spool"]?.status };
}
const isReady = async (worker: WorkerProcess) => (await readiness(worker)).status === 200;
const untilReady = (worker: WorkerProcess) =>
  waitFor(() => isReady(worker), { what: "the worker to be ready", timeoutMs: 60_000 });
const untilNotReady = (worker: WorkerProcess) =>
  waitFor(async () => !(await isReady(worker)), { what: "the worker not to be ready", timeoutMs: 60_000 });

const untilSpoolFails = (worker: WorkerProcess) =>
  waitFor(async () => (await readiness(worker)).spool === "failing", { what: "the spool to fail" });

async function untilResting(worker: WorkerProcess, value: 0 | 1): Promise<void> {
  const url = `${worker.origin()}/metrics`;
  const series = `report_worker_resting{part="spool"} ${value}`;
  await waitFor(async () => (await (await fetch(url, newConnection)).text()).includes(series), { what: series });
}

/** Repeats the replacement if the worker creates the folder again meanwhile. */
function replaceByFile(folder: string): void {
  for (let tries = 1; !existsSync(folder) || statSync(folder).isDirectory(); tries++) {
    if (existsSync(folder)) renameSync(folder, `${folder}-away-${tries}`);
    try {
      writeFileSync(folder, "", { flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

vi.setConfig({ testTimeout: 300_000 });

/** One of many claims would be enough to fail the tests, so a few reports find a wrong worker with a high probability. */
const reportCount = 40;
const parts = new AsyncDisposableStack();
let processes: WorkerProcesses;
/** The worker whose spool the tests break. In the first tests, another worker runs next to it. */
let worker: WorkerProcess;
let spool: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "broken-spool-"));
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));
  processes = parts.use(await startWorkerProcesses({ clocks }));
  spool = join(disk?.path ?? folder, "spool");
  worker = await processes.worker({ SPOOL_DIR: spool });
  await untilReady(worker);
}, 300_000);
afterAll(async () => parts.disposeAsync());

async function makeReports(count: number): Promise<readonly Report[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await processes.start());
  await processes.untilSucceeded(ids);
  return Promise.all(ids.map((id) => processes.find(id)));
}

// In every run, the tests of a single worker break its spool in other ways.
describe.runIf(disk !== null && isFullTestRun)("two workers, one with a broken spool", () => {
  let sound: WorkerProcess;
  beforeAll(async () => (sound = await processes.worker()), 300_000);

  test("a worker with a full spool leaves all reports to others", async () => {
    const before = await processes.claimsOf(worker);
    writeFileSync(join(mountedDisk, "other"), Buffer.alloc(4 * mebibyte));
    expect(() => writeFileSync(join(mountedDisk, "others"), Buffer.alloc(64 * mebibyte))).toThrow(/ENOSPC/);
    await makeReports(reportCount);
    expect(await processes.claimsOf(worker)).toBe(before);
    await untilNotReady(worker);
    rmSync(join(mountedDisk, "others"));
    await untilReady(worker);
  });

  test("a worker with a read-only spool takes no report until it can write", async () => {
    const [before, beforeOfSound] = [await processes.claimsOf(worker), await processes.claimsOf(sound)];
    await breakDisk(mountedDisk);
    for (const report of await makeReports(reportCount)) expect(report).toMatchObject({ attempt: 1, failures: 0 });
    expect(await processes.claimsOf(worker)).toBe(before);
    expect(await processes.claimsOf(sound)).toBe(beforeOfSound + reportCount);
    await untilSpoolFails(worker);
    expect(await readiness(worker)).toEqual({ status: 503, spool: "failing" });
    await untilResting(worker, 1);
    // A readiness check has a limit of two seconds, which a busy machine can exceed.
    await untilReady(sound);
    expect((await readiness(sound)).spool).toBe("ok");
    const servesNothing = async () =>
      (
        await processes.sql`
          select from worker_heartbeats where pid = ${worker.pid} and served_types = '{}'::jsonb`
      ).length === 1;
    await waitFor(servesNothing, { what: "the heartbeat to say that it serves nothing" });

    remount(mountedDisk, "rw");
    await untilReady(worker);
    await untilResting(worker, 0);
    await sound.stop();
    await makeReports(1);
    expect(await processes.claimsOf(worker)).toBe(before + 1);
  });
});

describe("a single worker with a broken spool", () => {
  test("a worker creates its spool folder again after it was removed", async () => {
    // `rmSync` could fail while the worker writes into the folder.
    renameSync(spool, `${spool}-removed`);
    const [report] = await makeReports(1);
    expect(report).toMatchObject({ attempt: 1, failures: 0 });
    await untilReady(worker);
  });

  test("a worker takes no report while a file is in the place of its spool folder", async () => {
    replaceByFile(spool);
    const id = await processes.start();
    await untilNotReady(worker);
    expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
    rmSync(spool);
    await processes.until(id, "SUCCEEDED");
    await untilReady(worker);
    expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
  });

  test.skipIf(disk === null)("reports wait without failures while the spool of the only worker is broken", async () => {
    const rests = () => worker.log().split("this worker takes no reports").length;
    const earlier = rests();
    await breakDisk(mountedDisk);
    const id = await processes.start();
    await untilNotReady(worker);
    // Simulates a report that was created nine hours ago and first requeued seven hours ago. A requeued report may wait only six hours.
    await processes.sql`
      update reports set created_at = now() - interval '9 h', first_handed_back_at = now() - interval '7 h' where id = ${id}`;
    await processes.sql`select enqueue_reports(array[${id}]::uuid[], 0, 0)`;
    await waitFor(() => rests() > earlier, { what: "the log to say that the worker takes no reports" });
    expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0, failures: 0 });
    remount(mountedDisk, "rw");
    await processes.until(id, "SUCCEEDED");
    expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
  });

  // In every run, the test before breaks the spool of a running worker in the same way.
  test.runIf(disk !== null && isFullTestRun)(
    "a worker with a read-only spool starts, and takes reports when it can write",
    async () => {
      expect(await worker.stop()).toBe(0);
      await breakDisk(mountedDisk);
      const late = await processes.worker({ SPOOL_DIR: join(mountedDisk, "late") });
      expect(await readiness(late)).toEqual({ status: 503, spool: "failing" });
      const id = await processes.start();
      expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
      remount(mountedDisk, "rw");
      await processes.until(id, "SUCCEEDED");
      expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
      expect(await late.stop()).toBe(0);
    },
  );
});
