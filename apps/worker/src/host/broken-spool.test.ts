import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mountSmallDisk, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  fastTimingsWithLongGrace,
  startWorkerProcesses,
  type WorkerProcess,
  type WorkerProcesses,
} from "../test/worker-process.ts";

const mebibyte = 1024 ** 2;
const disks = [mountSmallDisk(64 * mebibyte), mountSmallDisk(64 * mebibyte)] as const;
afterAll(() => disks.forEach((disk) => disk?.unmount()));
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

async function open() {
  const processes = await startWorkerProcesses({ clocks });
  onTestFinished(() => processes[Symbol.asyncDispose]());
  return processes;
}

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

describe.skipIf(disks[0] === null)("two workers, one with a broken spool", () => {
  test("a worker with a read-only spool takes no report until it can write", { timeout: 300_000 }, async () => {
    const processes = await open();
    const { path } = disks[0]!;
    const broken = await processes.worker({ SPOOL_DIR: join(path, "spool") });
    const sound = await processes.worker();
    await untilReady(broken);
    await breakDisk(path);
    const ids = [];
    for (let count = 0; count < 40; count++) ids.push(await processes.start());
    for (const id of ids) await processes.until(id, "SUCCEEDED");
    for (const id of ids) expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
    expect(await processes.claimsOf(broken)).toBe(0);
    expect(await processes.claimsOf(sound)).toBe(40);
    await untilSpoolFails(broken);
    expect(await readiness(broken)).toEqual({ status: 503, spool: "failing" });
    await untilResting(broken, 1);
    // A readiness check has a limit of two seconds, which a busy machine can exceed.
    await untilReady(sound);
    expect((await readiness(sound)).spool).toBe("ok");
    const servesNothing = async () =>
      (
        await processes.sql`
          select from worker_heartbeats where pid = ${broken.pid} and served_types = '{}'::jsonb`
      ).length === 1;
    await waitFor(servesNothing, { what: "the heartbeat to say that it serves nothing" });

    remount(path, "rw");
    await untilReady(broken);
    await untilResting(broken, 0);
    await sound.stop();
    await processes.until(await processes.start(), "SUCCEEDED");
    expect(await processes.claimsOf(broken)).toBe(1);
  });

  test("a worker with a full spool leaves all reports to others", { timeout: 300_000 }, async () => {
    const processes = await open();
    const { path } = disks[1]!;
    const broken = await processes.worker({ SPOOL_DIR: join(path, "spool") });
    await processes.worker();
    await untilReady(broken);
    writeFileSync(join(path, "other"), Buffer.alloc(4 * mebibyte));
    expect(() => writeFileSync(join(path, "others"), Buffer.alloc(64 * mebibyte))).toThrow(/ENOSPC/);
    const ids = [];
    for (let count = 0; count < 20; count++) ids.push(await processes.start());
    for (const id of ids) await processes.until(id, "SUCCEEDED");
    expect(await processes.claimsOf(broken)).toBe(0);
    await untilNotReady(broken);
    rmSync(join(path, "others"));
    await untilReady(broken);
  });
});

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

describe("a single worker whose spool is a folder", () => {
  const parts = new AsyncDisposableStack();
  let processes: WorkerProcesses;
  let worker: WorkerProcess;
  let spool: string;
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), "vanishing-spool-"));
    parts.defer(() => rmSync(directory, { recursive: true, force: true }));
    processes = parts.use(await startWorkerProcesses({ clocks }));
    spool = join(directory, "spool");
    worker = await processes.worker({ SPOOL_DIR: spool });
    await untilReady(worker);
  }, 300_000);
  afterAll(async () => parts.disposeAsync());

  test("a worker creates its spool folder again after it was removed", { timeout: 300_000 }, async () => {
    // `rmSync` could fail while the worker writes into the folder.
    renameSync(spool, `${spool}-removed`);
    const id = await processes.start();
    await processes.until(id, "SUCCEEDED");
    expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
    await untilReady(worker);
  });

  test("a worker takes no report while a file is in the place of its spool folder", { timeout: 300_000 }, async () => {
    replaceByFile(spool);
    const id = await processes.start();
    await untilNotReady(worker);
    expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
    rmSync(spool);
    await processes.until(id, "SUCCEEDED");
    await untilReady(worker);
    expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
  });
});

describe("a single worker whose spool is a disk", () => {
  test(
    "reports wait without failures while the spool of the only worker is broken",
    { timeout: 300_000, skip: disks[0] === null },
    async () => {
      const processes = await open();
      const { path } = disks[0]!;
      const worker = await processes.worker({ SPOOL_DIR: join(path, "alone") });
      await untilReady(worker);
      await breakDisk(path);
      const id = await processes.start();
      await untilNotReady(worker);
      // Simulates a report that was created nine hours ago and first requeued seven hours ago. A requeued report may wait only six hours.
      await processes.sql`update reports set created_at = now() - interval '9 h', first_handed_back_at = now() - interval '7 h'`;
      await processes.sql`select enqueue_reports(array[${id}]::uuid[], 0, 0)`;
      await worker.waitForLog("this worker takes no reports");
      expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0, failures: 0 });
      remount(path, "rw");
      await processes.until(id, "SUCCEEDED");
      expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
    },
  );

  test(
    "a worker with a read-only spool starts, and takes reports when it can write",
    { timeout: 300_000, skip: disks[0] === null },
    async () => {
      const processes = await open();
      const { path } = disks[0]!;
      await breakDisk(path);
      const worker = await processes.worker({ SPOOL_DIR: join(path, "late") });
      expect(await readiness(worker)).toEqual({ status: 503, spool: "failing" });
      const id = await processes.start();
      expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
      remount(path, "rw");
      await processes.until(id, "SUCCEEDED");
      expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
      expect(await worker.stop()).toBe(0);
    },
  );
});
