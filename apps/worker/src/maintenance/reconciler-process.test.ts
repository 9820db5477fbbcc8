import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, rm, utimes } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { StoreUnavailableError } from "@reports/core/base";
import { createStoreIdRepository } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptEmptyStore, createFileSystemStore, storeIdKey } from "@reports/storage";
import { isFullTestRun, listChildProcesses, waitFor } from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readWorkerConfig } from "../config.ts";
import { openMaintenanceUnderTest } from "../test/maintenance-under-test.ts";
import { createReconcilerProcess } from "./reconciler-process.ts";

const never = new AbortController().signal;

async function openProcess() {
  const opened = await openMaintenanceUnderTest();
  const store = createFileSystemStore({ directory: opened.filesDirectory });
  await adoptEmptyStore({ store, record: createStoreIdRepository(opened.database), newId });
  const [report] = [await opened.succeeded(), await opened.succeeded()];
  const orphan = await opened.orphan(report.id);
  const watching = postgres(opened.databaseUrl, { max: 1 });
  const old = new Date(Date.now() - 3 * 86_400_000);
  for (const entry of await readdir(opened.filesDirectory, { recursive: true }))
    await utimes(join(opened.filesDirectory, entry), old, old);
  const reconcilerIn = (STORAGE_DIR: string) =>
    createReconcilerProcess(
      readWorkerConfig({ DATABASE_URL: opened.databaseUrl, STORAGE_DIR, TRASH_DAYS: "0" }),
      (error) => void opened.left.push(error),
    );
  return {
    opened,
    orphan,
    reconcilerIn,
    reconciler: reconcilerIn(opened.filesDirectory),
    async hold(signal: AbortSignal, work: (pid: number) => unknown) {
      const before = listChildProcesses(process.pid);
      return opened.sql.begin(async (transaction) => {
        await transaction`lock table reconciler_log`;
        const running = Promise.allSettled([reconcilerIn(opened.filesDirectory).run(signal)]);
        const waiting = async () => watching`
          select from pg_stat_activity
          where application_name = 'reports-reconcile' and wait_event_type = 'Lock' and datname = current_database()`;
        await waitFor(async () => (await waiting()).length === 1, {
          what: "the round to wait for the lock",
          timeoutMs: 110_000,
        });
        await work(listChildProcesses(process.pid).find((pid) => !before.includes(pid) && isReconciler(pid))!);
        const [ended] = await running;
        return { ended };
      });
    },
    async [Symbol.asyncDispose]() {
      await watching.end();
      await opened[Symbol.asyncDispose]();
    },
  };
}

function isReconciler(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("reconciler-main");
}

const onLinux = process.platform === "linux";

vi.setConfig({ testTimeout: 180_000 });

let under: Awaited<ReturnType<typeof openProcess>>;
beforeAll(async () => (under = await openProcess()), 180_000);
afterAll(async () => under[Symbol.asyncDispose]());

test("a reconciler round in a child process rejects if the store has another store ID", async () => {
  const round = under.reconcilerIn(`${under.opened.filesDirectory}-other`).run(never);
  await expect(round).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(round).rejects.toThrow(/store/);
});

test.skipIf(!onLinux)("the reconciler's process has a low priority, its worker's CAs and no secrets", async () => {
  vi.stubEnv("NODE_USE_SYSTEM_CA", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const leaving = new AbortController();
  const { ended } = await under.hold(leaving.signal, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
    expect(Number(fields[16])).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    expect(environment).not.toMatch(/DATABASE_URL|SECRET|KEY/);
    expect(environment).toContain("NODE_USE_SYSTEM_CA=1");
    leaving.abort(new Error("stopping"));
  });
  expect(ended).toMatchObject({ status: "rejected", reason: new Error("stopping") });
});

test.skipIf(!onLinux)("a reconciler round rejects if its process is killed", async () => {
  const { ended } = await under.hold(never, (pid) => process.kill(pid, "SIGKILL"));
  expect(ended).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailableError) });
});

test("the next round in a child process compares, schedules and removes files", async () => {
  const { opened, orphan, reconciler } = under;
  const counts = { files: 3, compared: 3, unnamed: 1, unknown: 0, named: 2, missing: 0 };
  expect(await reconciler.run(never)).toMatchObject({ ...counts, scheduled: 0, removed: 0 });
  await opened.pass("1 hour");
  expect(await reconciler.plan(() => undefined, never)).toMatchObject({ ...counts, scheduled: 1, removed: 1 });
  expect(await opened.stored()).toContain(orphan);
  expect(await reconciler.run(never)).toMatchObject({
    ...counts,
    kind: "all",
    sizes: 2,
    wrongSizes: 0,
    scheduled: 1,
    removed: 1,
  });
  expect(await opened.stored()).not.toContain(orphan);
});

// In every run, reconcile-round.test.ts looks up samples without a process.
test.runIf(isFullTestRun)("in a child process, a round after a complete comparison looks up a sample", async () => {
  const { opened, reconciler } = under;
  // The log is empty if this test runs alone. New differences are compared again, so the second round removes the file that no record names.
  if ((await opened.sql`select from reconciler_log`).length === 0) {
    await reconciler.run(never);
    await opened.pass("1 hour");
    await reconciler.run(never);
  }
  // Small stores are compared in every round.
  await opened.sql`update reconciler_log set files = 20000`;
  expect(await reconciler.run(never)).toEqual({ kind: "sample", checked: 2 });
});

// In every run, limited-file-calls.test.ts ends calls that hang, and a round rejects if its process ends early.
test.runIf(onLinux && isFullTestRun)("a reconciler round whose file call hangs leaves no process behind", async () => {
  const { filesDirectory } = under.opened;
  const processes = listChildProcesses(process.pid);
  // A read of a named pipe that nobody writes never ends, like a call to a file system that hangs.
  await rm(join(filesDirectory, storeIdKey));
  execFileSync("mkfifo", [join(filesDirectory, storeIdKey)]);
  await expect(under.reconciler.run(AbortSignal.timeout(150_000))).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(listChildProcesses(process.pid).filter((pid) => !processes.includes(pid))).toEqual([]);
});
