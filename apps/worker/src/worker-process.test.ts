import { readFileSync } from "node:fs";
import { isFullTestRun, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowCopiesForEndlessSort, startWorkerProcesses, type WorkerProcess } from "./test/worker-process.ts";

const canary = "canary-4c1f6a";
let processes: Awaited<ReturnType<typeof startWorkerProcesses>>;
let worker: WorkerProcess;

beforeAll(async () => {
  processes = await startWorkerProcesses(isFullTestRun ? { clocks: "production" } : {});
  worker = await processes.worker({
    WORKER_CONCURRENCY: "2",
    AUTH_JWT_SECRET: canary,
    MY_OWN_PASSWORD: canary,
    TZ: "Asia/Tokyo",
  });
}, 180_000);
afterAll(async () => processes[Symbol.asyncDispose]());

test.skipIf(process.platform !== "linux")("child processes of a worker do not get its secrets", () => {
  const started = worker.children();
  // The three children are two renderers, and the shell that kills them if the worker dies.
  expect(started).toHaveLength(3);
  const environments = started.map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
  for (const environment of environments) {
    expect(environment).not.toMatch(new RegExp(`${canary}|DATABASE_URL|STORAGE_DIR`));
  }
  expect(environments.filter((environment) => environment.includes("TZ=Asia/Tokyo"))).toHaveLength(2);
});

test("a cancel during a sort ends the query, leaves no file, and frees the worker", async () => {
  await processes.enlarge(rowCopiesForEndlessSort);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  await processes.reports.cancel(id, "basic:alice");
  await waitFor(async () => (await processes.queries()).length === 0, { what: "the query to end" });
  await waitFor(async () => (await processes.sql`select from report_queue.jobs`).length === 0, {
    what: "the job to be gone",
  });
  expect(await processes.find(id)).toMatchObject({ status: "CANCELLED", file: null, attempt: 1 });
  expect((await processes.leftovers()).filter((path) => path.includes(id))).toEqual([]);
  await processes.enlarge(1);
  await processes.until(await processes.start(), "SUCCEEDED");
}, 180_000);

test("a worker that loses all its connections finishes its report once", async () => {
  await processes.enlarge(rowCopiesForEndlessSort);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  // The running query still sees the many copies. The next attempt must see only one.
  await processes.enlarge(1);
  await processes.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'reports%'`;
  await processes.untilSucceeded([id]);
  expect(await processes.find(id)).toMatchObject({ failures: 0, error: null });
  const events = await processes.reports.listEvents(id);
  expect(events.filter(({ to }) => to === "SUCCEEDED")).toHaveLength(1);
  await waitFor(async () => (await processes.sql`select from report_queue.jobs`).length === 0, {
    what: "no job to be left",
  });
  expect(worker.isRunning()).toBe(true);
}, 180_000);

test("SIGTERM requeues a running report without a failure and leaves nothing behind", async () => {
  const stored = (await processes.leftovers()).filter((path) => path.startsWith("reports/"));
  await processes.enlarge(rowCopiesForEndlessSort);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  expect(await worker.stop()).toBe(0);
  expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 1, failures: 0 });
  expect(await processes.sql`select locked_by, run_at <= now() as due from report_queue.jobs`).toEqual([
    { locked_by: null, due: true },
  ]);
  expect(await processes.sql`select from worker_heartbeats`).toHaveLength(0);
  expect(await processes.leftovers()).toEqual(stored);
  await waitFor(async () => (await processes.queries()).length === 0, { what: "the query to end" });
}, 180_000);
