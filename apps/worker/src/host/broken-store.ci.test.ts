import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { mountSmallDisk, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkerProcesses, type WorkerProcess, type WorkerProcesses } from "../test/worker-process.ts";

vi.setConfig({ testTimeout: 300_000 });

const disk = mountSmallDisk(64 * 1024 ** 2);
const stores = disk && { shared: join(disk.path, "shared"), own: join(disk.path, "own") };
const mount = (...options: readonly string[]) => execFileSync("mount", options);
const smallSpoolBytes = 256 * 1024;
const largeSpool = { SPOOL_MAX_BYTES: "128MiB" };

const parts = new AsyncDisposableStack();
let processes: WorkerProcesses;
/** A worker with a small spool. The first test breaks its store. */
let small: WorkerProcess;
let large: WorkerProcess | undefined;

beforeAll(async () => {
  if (stores !== null) {
    parts.defer(() => disk!.unmount());
    for (const folder of Object.values(stores)) mkdirSync(folder);
    mount("--bind", stores.shared, stores.own);
    parts.defer(() => void execFileSync("umount", ["-l", stores.own]));
  }
  processes = parts.use(await startWorkerProcesses({ clocks: "production" }));
  small = await processes.worker({
    ...(stores === null ? {} : { STORAGE_DIR: stores.own }),
    SPOOL_MAX_BYTES: String(smallSpoolBytes),
    WORKER_CONCURRENCY: "2",
  });
}, 180_000);
afterAll(async () => parts.disposeAsync());

async function startTen(): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < 10) ids.push(await processes.start());
  return ids;
}

test.skipIf(stores === null)("a worker that can't write to the store takes no reports; another does", async () => {
  const { shared, own } = stores!;
  const storage = async () => {
    const response = await fetch(`${small.origin()}/health/ready`);
    const { checks } = (await response.json()) as { checks: { storage: { status: string } } };
    return [response.status, checks.storage.status];
  };
  const until = (expected: readonly unknown[]) =>
    waitFor(async () => (await storage()).join() === expected.join(), { what: expected.join(), timeoutMs: 60_000 });
  await until([200, "ok"]);
  mount("-o", "remount,bind,ro", own);
  const ids = await startTen();
  await until([503, "failing"]);
  await small.waitForLog("this worker takes no reports");
  large = await processes.worker({ ...largeSpool, STORAGE_DIR: shared });
  await processes.untilSucceeded(ids);
  expect(await processes.sql`select from reports where failures > 0`).toEqual([]);
  // The worker rests after three failures in a row. It may have begun other reports before the third one.
  expect(await processes.claimsOf(small)).toBeLessThanOrEqual(6);
  mount("-o", "remount,bind,rw", own);
  await until([200, "ok"]);
});

test("a report that is too large for one spool is made by a worker with a larger one", async () => {
  await processes.enlarge(20);
  large ??= await processes.worker({ ...largeSpool, ...(stores && { STORAGE_DIR: stores.shared }) });
  let attempts: readonly { readonly count: number }[];
  // While the small worker stands still, the large one can make all ten reports.
  do {
    const ids = await startTen();
    await processes.untilSucceeded(ids);
    attempts = await processes.sql<{ count: number }[]>`
      select count(*)::int as count from report_events
      where to_status = 'RUNNING' and actor like ${`worker:%:${small.pid}:%`} and report_id = any (${ids}::uuid[]) group by report_id`;
  } while (attempts.length === 0);
  expect(attempts.map(({ count }) => count)).toEqual(attempts.map(() => 1));

  expect(await large.stop()).toBe(0);
  const id = await processes.start();
  await processes.until(id, "FAILED");
  expect(await processes.find(id)).toMatchObject({ attempt: 1, error: { code: "SPOOL_LIMIT_EXCEEDED" } });
  expect(await processes.sql`select spool_bytes::int as bytes from worker_heartbeats`).toEqual([
    { bytes: smallSpoolBytes },
  ]);
  const isReady = async () => (await fetch(`${small.origin()}/health/ready`)).status === 200;
  await waitFor(isReady, { what: "the small worker to be ready: the report is to blame" });
});
