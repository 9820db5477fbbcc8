import { randomBytes } from "node:crypto";
import { isFullTestRun, waitForBlockedSession } from "@reports/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkerProcesses, type WorkerProcess, type WorkerProcesses } from "../test/worker-process.ts";

vi.setConfig({ testTimeout: 180_000 });

const environment = (...keys: readonly Buffer[]) => ({
  WEBHOOK_KEY: keys.map((key) => key.toString("base64")).join(","),
  PUBLIC_URL: "https://reports.example.com",
});
const [first, second] = [randomBytes(32), randomBytes(32)];
let processes: WorkerProcesses;
/** A worker with the first key. */
let worker: WorkerProcess | undefined;
beforeAll(async () => (processes = await startWorkerProcesses()));
afterAll(async () => processes[Symbol.asyncDispose]());

// In every run, worker-registry.test.ts lets workers join without a shared key if the other workers are dead.
test.runIf(isFullTestRun)("a worker starts if the only worker with another key is dead", async () => {
  // The dead worker counts as alive until its heartbeat is 25 s old. So its row is added when the start has reached the comparison of keys, because
  // everything before that can take longer.
  const { starting } = await processes.sql.begin(async (held) => {
    await held`select pg_advisory_xact_lock(hashtextextended('workers:join', 0))`;
    const started = processes.worker(environment(first));
    await waitForBlockedSession(held, { timeoutMs: 100_000 });
    await held`
      insert into worker_heartbeats (worker_id, host, pid, version, lanes, pool_ids, webhook_keys, beat_at)
      values ('dead', 'lost-host', 1, '1', '{quick}', '{}', '{00000000}', clock_timestamp() - interval '12 s')`;
    return { starting: started };
  });
  worker = await starting;
  expect(worker.log()).toContain("no key of WEBHOOK_KEY is shared");
  expect(worker.isRunning()).toBe(true);
});

test("a worker that shares no webhook key with a running one refuses to start", async () => {
  worker ??= await processes.worker(environment(first));
  const stranger = await processes.worker(environment(second), "WEBHOOK_KEY shares no key");
  expect(await stranger.ended).toBe(1);
  expect(stranger.log()).not.toContain(second.toString("base64"));
});

// In every run, worker-registry.test.ts lets a worker join that shares a key.
test.runIf(isFullTestRun)("a worker that shares one webhook key with a running one starts", async () => {
  worker ??= await processes.worker(environment(first));
  const sharing = await processes.worker(environment(second, first));
  expect(sharing.isRunning()).toBe(true);
});
