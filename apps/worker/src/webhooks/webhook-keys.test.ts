import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { startWorkerProcesses } from "../test/worker-process.ts";

const environment = (...keys: readonly Buffer[]) => ({
  WEBHOOK_KEY: keys.map((key) => key.toString("base64")).join(","),
  PUBLIC_URL: "https://reports.example.com",
});
const [first, second] = [randomBytes(32), randomBytes(32)];

test.concurrent("a worker that shares no webhook key with a running one refuses to start", async () => {
  await using processes = await startWorkerProcesses();
  await processes.worker(environment(first));
  const stranger = await processes.worker(environment(second), "WEBHOOK_KEY shares no key");
  expect(await stranger.ended).toBe(1);
  expect(stranger.log()).not.toContain(second.toString("base64"));
  const sharing = await processes.worker(environment(second, first));
  expect(sharing.isRunning()).toBe(true);
}, 180_000);

test.concurrent("a worker starts if the only worker with another key is dead", async () => {
  await using processes = await startWorkerProcesses();
  await processes.sql`
    insert into worker_heartbeats (worker_id, host, pid, version, lanes, pool_ids, webhook_keys, beat_at)
    values ('dead', 'lost-host', 1, '1', '{quick}', '{}', '{00000000}', now() - interval '12 s')`;
  const worker = await processes.worker(environment(first));
  expect(worker.log()).toContain("no key of WEBHOOK_KEY is shared");
  expect(worker.isRunning()).toBe(true);
}, 180_000);
