import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createStoreIdRepository } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptEmptyStore, createFileSystemStore } from "@reports/storage";
import { isFullTestRun } from "@reports/testing";
import { expect, test } from "vitest";
import { openMaintenanceUnderTest } from "../test/maintenance-under-test.ts";

async function reconcile(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const path = fileURLToPath(new URL("reconcile.ts", import.meta.url));
  return new Promise<{ code: number | null; out: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ["--conditions=@reports/source", path, ...args],
      { env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment } },
      (_, out, stderr) => resolve({ code: child.exitCode, out, stderr }),
    );
  });
}

test("reconcile prints its plan, and undoes scheduled removals", async () => {
  await using opened = await openMaintenanceUnderTest();
  const here = { DATABASE_URL: opened.databaseUrl, STORAGE_DIR: opened.filesDirectory, RECONCILE_MIN_AGE_HOURS: "1" };
  const store = createFileSystemStore({ directory: opened.filesDirectory });
  await adoptEmptyStore({ store, record: createStoreIdRepository(opened.database), newId });
  const report = await opened.succeeded();
  const leftover = await opened.orphan(report.id);
  await opened.reconcile();
  await opened.pass("1 hour");
  await opened.reconcile();

  // The command uses the real clock, by which the files of this test are too young to be compared.
  const plan = await reconcile(["--dry-run"], here);
  expect(plan).toMatchObject({ code: 0, stderr: "" });
  expect(plan.out).toContain("2 files");
  // Without this line, an operator could read "0 records" as the loss of all records.
  expect(plan.out).toContain("Files and records younger than 1 h (RECONCILE_MIN_AGE_HOURS) were not compared.");
  expect(plan.out).toContain("Nothing was changed.");
  expect(await opened.sql`select storage_key from file_removals`).toEqual([{ storage_key: leftover }]);

  expect(await reconcile(["--undo"], here)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^1 removals were undone/),
  });
  expect(await opened.sql`select from file_removals`).toHaveLength(0);
  expect(await opened.stored()).toContain(leftover);
}, 180_000);

// In every run, reconcile-round.test.ts refuses a store with another ID, and the next test makes the command fail.
test.runIf(isFullTestRun)("reconcile refuses a foreign store", async () => {
  await using opened = await openMaintenanceUnderTest();
  const store = createFileSystemStore({ directory: opened.filesDirectory });
  await adoptEmptyStore({ store, record: createStoreIdRepository(opened.database), newId });
  const elsewhere = await reconcile(["--dry-run"], {
    DATABASE_URL: opened.databaseUrl,
    STORAGE_DIR: `${opened.filesDirectory}-other`,
  });
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.stderr).toContain("nothing was changed");
});

test("errors of the command reconcile contain no secrets", async () => {
  const usages = [
    [["--dry-run", "--undo"], 2, "stderr", /Usage/],
    [[], 2, "stderr", /Usage/],
    [["--help"], 0, "out", /Usage/],
    [["--undo"], 2, "stderr", /DATABASE_URL/],
  ] as const;
  // In every run, the test of store-marker shows the usage and the missing variables.
  for (const [args, code, stream, text] of isFullTestRun ? usages : []) {
    expect(await reconcile(args)).toMatchObject({ code, [stream]: expect.stringMatching(text) });
  }
  const unreachable = { DATABASE_URL: "postgres://reports:hunter2@127.0.0.1:1/reports", STORAGE_DIR: "/nonexistent" };
  const failed = await reconcile(["--undo"], unreachable);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/The command failed; nothing was changed/) });
  expect(failed.stderr).not.toContain("hunter2");
}, 120_000);
