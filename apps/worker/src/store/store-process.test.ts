import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFullTestRun, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkerProcesses, type WorkerProcess, type WorkerProcesses } from "../test/worker-process.ts";

vi.setConfig({ testTimeout: 240_000 });

const parts = new AsyncDisposableStack();
let folders: { readonly first: string; readonly second: string };
let processes: WorkerProcesses;
let first: WorkerProcess;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "store-process-"));
  parts.defer(async () => rm(folder, { recursive: true, force: true }));
  folders = { first: join(folder, "first"), second: join(folder, "second") };
  processes = parts.use(await startWorkerProcesses());
  first = await processes.worker({ STORAGE_DIR: folders.first });
}, 180_000);
afterAll(async () => parts.disposeAsync());

function healthOf({ origin }: WorkerProcess) {
  return {
    ready: async () => (await fetch(`${origin()}/health/ready`)).status,
    async state() {
      const metrics = await (await fetch(`${origin()}/metrics`)).text();
      return /^reports_store_state\{state="(\w+)"\} 1$/m.exec(metrics)?.[1];
    },
  };
}

const finished = ({ log }: WorkerProcess) => log().match(/"msg":"report succeeded"/g)?.length ?? 0;

// In every run, the next test shows the same of a worker whose folder is swapped.
test.runIf(isFullTestRun)("a second worker with another folder takes no report and is not ready", async () => {
  const second = await processes.worker({ STORAGE_DIR: folders.second });
  const { ready, state } = healthOf(second);
  await waitFor(async () => (await state()) === "mismatch", { what: "the second worker to compare its store" });
  expect(await ready()).toBe(503);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push(await processes.start());
  for (const id of ids) await processes.until(id, "SUCCEEDED");
  // A worker writes its log line shortly after it has ended the record.
  await waitFor(() => finished(first) === 6, { what: "the first worker's lines" });
  expect(finished(second)).toBe(0);
  await second.waitForLog("the file store is not the one of the database");
  // A claim by the second worker would have increased the attempt number of a report.
  expect(await processes.sql`select from reports where attempt <> 1`).toHaveLength(0);
  expect(await second.stop()).toBe(0);
});

test("a worker whose folder is swapped takes no report until the folder is back", async () => {
  const { ready, state } = healthOf(first);
  await waitFor(async () => (await ready()) === 200, { what: "the worker to be ready" });
  await rm(folders.second, { recursive: true, force: true });
  await rename(folders.first, folders.second);
  await mkdir(folders.first);
  await waitFor(async () => (await state()) === "mismatch", {
    what: "the swap to be noticed",
  });
  const id = await processes.start();
  const heartbeatAt = async () => (await processes.sql`select beat_at from worker_heartbeats`)[0]!["beat_at"] as Date;
  const before = await heartbeatAt();
  await waitFor(async () => (await heartbeatAt()) > before, { what: "the next heartbeat of the worker" });
  expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 0, failures: 0 });
  expect(await ready()).toBe(503);
  await rm(folders.first, { recursive: true });
  await rename(folders.second, folders.first);
  await processes.until(id, "SUCCEEDED");
  expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
  await waitFor(async () => (await ready()) === 200, { what: "the worker to be ready again" });
});
