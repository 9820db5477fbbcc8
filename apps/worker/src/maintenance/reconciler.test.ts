import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreMismatchError, StoreUnavailableError, type FileStat } from "@reports/core/base";
import type { Report } from "@reports/core/report";
import { createPeriodicTaskLocks, readReconcilerState } from "@reports/db";
import { createFileStore, createFileSystemStore } from "@reports/storage";
import { describe, expect, test } from "vitest";
import { writeTestPutFile } from "../test/local-file.ts";
import { shareMaintenanceUnderTest, type MaintenanceUnderTest } from "../test/maintenance-under-test.ts";
import type { ReconcilerMode } from "../config.ts";
import { createReconcileWork } from "./reconcile-work.ts";

const open = shareMaintenanceUnderTest();

async function several(opened: MaintenanceUnderTest, count: number): Promise<readonly Report[]> {
  const reports: Report[] = [];
  while (reports.length < count) reports.push(await opened.succeeded());
  return reports;
}

async function snapshot({ sql }: MaintenanceUnderTest) {
  return {
    reports: await sql`select id, status, file_storage_key, revision from reports order by id`,
    events: await sql`select id from report_events order by id`,
    mismatches: await sql`select * from file_mismatches order by 1`,
    removals: await sql`select * from file_removals order by 1`,
    log: await sql`select * from reconciler_log order by id`,
  };
}

const scheduledKeys = async ({ sql }: MaintenanceUnderTest) =>
  (await sql`select storage_key from file_removals where reason = 'no-record' order by 1`).map(
    (row) => row["storage_key"],
  );

describe("an orphaned file of a known report", () => {
  test("an orphaned file is scheduled by the second comparison and removed when due", async () => {
    const opened = await open();
    const [report] = await several(opened, 2);
    const orphan = await opened.orphan(report!.id);
    expect(await opened.reconcile()).toMatchObject({ files: 3, unnamed: 1, scheduled: 0, removed: 0 });
    expect(await opened.reconcile()).toMatchObject({ scheduled: 0 });
    await opened.pass("1 hour");
    expect(await opened.reconcile()).toMatchObject({ scheduled: 1, removed: 0 });
    expect(
      await opened.sql`select report_id, reason, due_at > now() + interval '6 days' as later from file_removals`,
    ).toEqual([{ report_id: report!.id, reason: "no-record", later: true }]);
    await opened.pass("6 days");
    expect(await opened.reconcile()).toMatchObject({ scheduled: 0, removed: 0 });
    expect(await opened.stored()).toContain(orphan);
    await opened.pass("25 hours");
    expect(await opened.reconcile()).toMatchObject({ removed: 1, refused: 0 });
    expect(await opened.stored()).toHaveLength(2);
    expect(await opened.stored()).not.toContain(orphan);
    expect(await opened.reconcile()).toMatchObject({ unnamed: 0, removed: 0 });
  });

  test("with TRASH_DAYS=0, an orphaned file is removed by the round that schedules it", async () => {
    const opened = await open();
    const [report] = await several(opened, 1);
    await opened.orphan(report!.id);
    await opened.reconcile({ trashMs: 0 });
    await opened.pass("1 hour");
    expect(await opened.reconcile({ trashMs: 0 })).toMatchObject({ scheduled: 1, removed: 1 });
    expect(await opened.stored()).toEqual([report!.file!.storageKey]);
  });

  test("a file scheduled for removal leaves the list if a record names it again", async () => {
    const opened = await open();
    const [report] = await several(opened, 2);
    const orphan = await opened.orphan(report!.id);
    await opened.reconcile();
    await opened.pass("1 hour");
    expect(await opened.reconcile()).toMatchObject({ scheduled: 1 });
    await opened.files.remove(report!.file!.storageKey);
    await opened.sql`update reports set file_storage_key = ${orphan} where id = ${report!.id}`;
    await opened.pass("8 days");
    expect(await opened.reconcile()).toMatchObject({ unnamed: 0, removed: 0 });
    expect(await scheduledKeys(opened)).toEqual([]);
    expect(await opened.stored()).toContain(orphan);
  });

  test("a file stays if a record names it between the comparison and the removal", async () => {
    const opened = await open();
    const [report] = await several(opened, 2);
    const orphan = await opened.orphan(report!.id);
    await opened.reconcile();
    await opened.pass("1 hour");
    await opened.reconcile();
    await opened.pass("8 days");
    let checks = 0;
    const identity = {
      assert: async () => {
        // The reconciler checks the store before the comparison, and again before it removes the batch. At the second check, a record begins to
        // name the orphaned file.
        if (++checks === 2) await opened.sql`update reports set file_storage_key = ${orphan} where id = ${report!.id}`;
      },
    };
    expect(await opened.reconcile({}, { identity })).toMatchObject({ unnamed: 1, removed: 0 });
    expect(await opened.stored()).toContain(orphan);
  });

  test("a file that the store can't remove stays on the list, and the round continues", async () => {
    const opened = await open();
    const [report, lost] = await several(opened, 8);
    const [stuck, other] = [await opened.orphan(report!.id), await opened.orphan(report!.id)].toSorted();
    await opened.files.remove(lost!.file!.storageKey);
    await opened.reconcile();
    await opened.pass("1 hour");
    await opened.reconcile();
    await opened.pass("8 days");
    const files = {
      ...opened.files,
      remove: async (key: string) =>
        key === stuck ? Promise.reject(new StoreUnavailableError("EACCES")) : opened.files.remove(key),
      abortStaleUploads: async () => Promise.reject(new StoreUnavailableError("EACCES")),
    };
    expect(await opened.reconcile({}, { files })).toMatchObject({ removed: 1, abortedUploads: 0, expired: 1 });
    expect(opened.left).toHaveLength(2);
    expect(await scheduledKeys(opened)).toEqual([stuck]);
    expect(await opened.stored()).not.toContain(other);
  });

  test("the reconciler ignores a stored file that is younger than a day", async () => {
    const opened = await open();
    const [report] = await several(opened, 1);
    await opened.orphan(report!.id);
    const now = () => new Date();
    expect(await opened.reconcile({}, { now })).toMatchObject({ files: 2, compared: 0, unnamed: 0 });
  });
});

describe("the reconciler refuses to act on too many differences", () => {
  test("the reconciler refuses to act if none of 15 files has a record", async () => {
    const opened = await open();
    const reports = await several(opened, 15);
    await opened.sql`update reports set file_storage_key = 'reports/other/' || id`;
    await opened.reconcile();
    await opened.pass("30 days");
    expect(await opened.reconcile()).toMatchObject({ unnamed: 15, missing: 15, refused: 30, scheduled: 0, expired: 0 });
    expect(await opened.stored()).toHaveLength(reports.length);
    expect((await opened.find(reports[0]!.id)).status).toBe("SUCCEEDED");
  });

  test("the reconciler refuses an empty store, even if only one file is missing", async () => {
    const opened = await open();
    const [report] = await several(opened, 1);
    await opened.files.remove(report!.file!.storageKey);
    await opened.reconcile({ massShare: 1, maxShare: 1 });
    await opened.pass("30 days");
    expect(await opened.reconcile({ massShare: 1, maxShare: 1 })).toMatchObject({ files: 0, missing: 1, refused: 1 });
    expect((await opened.find(report!.id)).status).toBe("SUCCEEDED");
  });

  test("completed and scheduled removals count towards the limit of differences", async () => {
    const opened = await open();
    const limits = { massCount: 3, trashMs: 0 };
    const reports = await several(opened, 8);
    const slice = async () => {
      for (let count = 0; count < 2; count++) await opened.orphan(reports[0]!.id);
      await opened.reconcile(limits);
      await opened.pass("1 hour");
      return opened.reconcile(limits);
    };
    expect(await slice()).toMatchObject({ removed: 2, refused: 0 });
    expect(await slice()).toMatchObject({ removed: 0, refused: 2 });
    expect(await slice()).toMatchObject({ removed: 0, refused: 4 });
    expect(await opened.stored()).toHaveLength(12);
  });

  test("too many differences also prevent removals that were scheduled before", async () => {
    const opened = await open();
    const reports = await several(opened, 4);
    for (const report of reports.slice(0, 2)) await opened.orphan(report.id);
    await opened.reconcile();
    await opened.pass("1 hour");
    expect(await opened.reconcile()).toMatchObject({ scheduled: 2 });
    for (const report of reports) await opened.orphan(report.id);
    await opened.pass("8 days");
    expect(await opened.reconcile()).toMatchObject({ unnamed: 6, removed: 0, refused: 6 });
    expect(await opened.stored()).toHaveLength(10);
  });
});

describe("files of unknown reports", () => {
  test("files of unknown reports are counted and kept as long as a record would be", async () => {
    const opened = await open();
    await several(opened, 3);
    const foreign = await opened.orphan();
    const other = "reports/readme.txt/1";
    await opened.files.put({ ...(await writeTestPutFile("x")), key: other });
    for (let round = 0; round < 3; round++) {
      expect(await opened.reconcile({ trashMs: 0 })).toMatchObject({
        unknown: 2,
        unnamed: 0,
        scheduled: 0,
        removed: 0,
      });
      await opened.pass("30 days");
    }
    expect(await opened.stored()).toEqual(expect.arrayContaining([foreign, other]));
  });

  test("files whose key does not parse as a report file are never removed", async () => {
    const opened = await open();
    const [report] = await several(opened, 8);
    const foreign = [
      "reports/team-b/store-marker",
      `reports/team-b/${report!.file!.storageKey}`,
      `reports/${report!.id}/notes.txt`,
      `reports/${report!.id}/1-0123456789ab.csv/part`,
    ];
    for (const key of foreign) await opened.files.put({ ...(await writeTestPutFile("x")), key });
    const limits = { recordRetentionMs: 2 * 86_400_000, trashMs: 0, massCount: 1_000, massShare: 1, maxShare: 1 };
    for (let round = 0; round < 3; round++) {
      expect(await opened.reconcile(limits)).toMatchObject({ unknown: 4, unnamed: 0, scheduled: 0, removed: 0 });
      await opened.pass("30 days");
    }
    expect(await opened.stored()).toEqual(expect.arrayContaining(foreign));
  });

  test("files of unknown reports are removed after the retention of records", async () => {
    const opened = await open();
    await several(opened, 3);
    const foreign = await opened.orphan();
    const limits = { recordRetentionMs: 2 * 86_400_000, trashMs: 0 };
    await opened.reconcile(limits);
    await opened.pass("1 hour");
    expect(await opened.reconcile(limits)).toMatchObject({ unknown: 0, removed: 1 });
    expect(await opened.stored()).not.toContain(foreign);
  });
});

describe("a record whose file is missing", () => {
  test("a record with a missing file becomes EXPIRED after TRASH_DAYS", async () => {
    const opened = await open();
    const [lost, young] = await several(opened, 4);
    for (const report of [lost!, young!]) await opened.files.remove(report.file!.storageKey);
    await opened.sql`update reports set finished_at = now() where id = ${young!.id}`;
    expect(await opened.reconcile()).toMatchObject({ named: 3, missing: 1, expired: 0 });
    await opened.pass("6 days");
    expect(await opened.reconcile()).toMatchObject({ missing: 1, expired: 0 });
    expect((await opened.find(lost!.id)).status).toBe("SUCCEEDED");
    await opened.pass("25 hours");
    expect(await opened.reconcile()).toMatchObject({ expired: 1 });
    expect(await opened.find(lost!.id)).toMatchObject({ status: "EXPIRED", file: null });
    expect((await opened.reports.listEvents(lost!.id)).at(-1)).toMatchObject({ from: "SUCCEEDED", to: "EXPIRED" });
    expect((await opened.find(young!.id)).status).toBe("SUCCEEDED");
  });

  test("a record whose file returns is kept, and waits again if the file disappears", async () => {
    const opened = await open();
    const [report] = await several(opened, 3);
    const key = report!.file!.storageKey;
    const bytes = await opened.readFile(report!);
    await opened.files.remove(key);
    await opened.reconcile();
    await opened.pass("6 days");
    await opened.files.put({ ...(await writeTestPutFile(bytes)), key });
    expect(await opened.reconcile()).toMatchObject({ missing: 0 });
    await opened.files.remove(key);
    await opened.pass("6 days");
    expect(await opened.reconcile()).toMatchObject({ missing: 1, expired: 0 });
    expect((await opened.find(report!.id)).status).toBe("SUCCEEDED");
  });
});

describe("a store with another store ID", () => {
  const mismatch = async () => Promise.reject(new StoreMismatchError("another store"));

  test("the reconciler does not compare a store with another store ID", async () => {
    const opened = await open();
    const [report] = await several(opened, 3);
    await opened.orphan(report!.id);
    const before = await snapshot(opened);
    await expect(opened.reconcile({}, { identity: { assert: mismatch } })).rejects.toBeInstanceOf(StoreMismatchError);
    expect(await snapshot(opened)).toEqual(before);
  });

  test.each([1, 2])("if the store is swapped before check %i of a round, no file or record is lost", async (checks) => {
    const opened = await open();
    const [first, second] = await several(opened, 4);
    await opened.orphan(first!.id);
    await opened.files.remove(second!.file!.storageKey);
    await opened.reconcile();
    await opened.pass("1 hour");
    await opened.reconcile();
    await opened.pass("8 days");
    const stored = await opened.stored();
    let check = 0;
    const identity = { assert: async () => (++check >= checks ? mismatch() : undefined) };
    await expect(opened.reconcile({}, { identity })).rejects.toBeInstanceOf(StoreMismatchError);
    expect(await opened.stored()).toEqual(stored);
    expect((await opened.find(second!.id)).status).toBe("SUCCEEDED");
  });
});

test("a dry run of the reconciler lists what the next round would do for each key", async () => {
  const opened = await open();
  const [first, second] = await several(opened, 4);
  const due = await opened.orphan(first!.id);
  await opened.files.remove(second!.file!.storageKey);
  await opened.reconcile();
  await opened.pass("1 hour");
  await opened.reconcile();
  await opened.pass("8 days");
  const seen = await opened.orphan(first!.id);
  await opened.sql`insert into file_mismatches (storage_key, kind, first_seen_at, seen_in) values (${seen}, 'no-record', now() - interval '1 hour', 1)`;
  const foreign = await opened.orphan();
  const before = { ...(await snapshot(opened)), stored: await opened.stored() };
  const { outcome, steps } = await opened.plan();
  expect(steps).toEqual([
    `expire ${second!.file!.storageKey}`,
    `remove ${due}`,
    `schedule ${seen}`,
    `unknown ${foreign}`,
  ]);
  expect({ ...(await snapshot(opened)), stored: await opened.stored() }).toEqual(before);
  expect(await opened.reconcile()).toEqual(outcome);
  expect(await opened.stored()).not.toContain(due);
});

test("with too many differences, a dry run says that the reconciler would do nothing", async () => {
  const opened = await open();
  const [report] = await several(opened, 1);
  for (let count = 0; count < 3; count++) await opened.orphan(report!.id);
  await opened.reconcile();
  await opened.pass("8 days");
  expect(await opened.plan()).toMatchObject({ outcome: { refused: 3, scheduled: 0, removed: 0 }, steps: [] });
});

test("after undo, the reconciler must find files again and wait before it removes them", async () => {
  const opened = await open();
  const [first, second] = await several(opened, 4);
  const orphan = await opened.orphan(first!.id);
  await opened.files.remove(second!.file!.storageKey);
  await opened.sql`insert into file_removals (storage_key, reason, due_at) values ('reports/a/1-a.csv', 'expired', now())`;
  await opened.reconcile();
  await opened.pass("1 hour");
  await opened.reconcile();
  await opened.pass("8 days");
  expect(await opened.index.undo()).toBe(1);
  expect(await opened.reconcile()).toMatchObject({ scheduled: 0, removed: 0, expired: 0 });
  await opened.pass("1 hour");
  expect(await opened.reconcile()).toMatchObject({ scheduled: 1, removed: 0, expired: 0 });
  expect(await opened.stored()).toContain(orphan);
  // `undo` cancels only removals that the reconciler scheduled (`no-record`). So the expired file that retention listed is still on the list.
  expect(await opened.sql`select reason from file_removals where reason <> 'no-record'`).toHaveLength(1);
  expect(await opened.sql`select action, files from reconciler_log where action = 'undone'`).toEqual([
    { action: "undone", files: 1 },
  ]);
});

test("undo during a round of the reconciler leaves no removal scheduled", async () => {
  const opened = await open();
  const [report] = await several(opened, 2);
  await opened.orphan(report!.id);
  await opened.reconcile();
  await opened.pass("1 hour");
  const index: typeof opened.index = {
    ...opened.index,
    known: async (...range) => {
      const keys = await opened.index.known(...range);
      await opened.index.undo();
      return keys;
    },
  };
  expect(await opened.reconcile({}, { index })).toMatchObject({ unnamed: 1, scheduled: 0 });
  expect(await scheduledKeys(opened)).toEqual([]);
});

test("undo during removals of the reconciler is late by at most one batch of files", async () => {
  const opened = await open();
  const [report] = await several(opened, 1);
  for (let count = 0; count < 120; count++) await opened.orphan(report!.id);
  const limits = { massCount: 1_000, maxShare: 1, massShare: 1 };
  await opened.reconcile(limits);
  await opened.pass("1 hour");
  expect(await opened.reconcile(limits)).toMatchObject({ scheduled: 120 });
  await opened.pass("8 days");
  let undone = false;
  const files = {
    ...opened.files,
    remove: async (key: string) => {
      if (!undone) await opened.index.undo();
      undone = true;
      return opened.files.remove(key);
    },
  };
  expect(await opened.reconcile(limits, { files })).toMatchObject({ removed: 50 });
  expect(await opened.stored()).toHaveLength(71);
});

test("the reconciler does not remove a damaged file that is kept for inspection", async () => {
  const opened = await open();
  const [report] = await several(opened, 2);
  const damaged = await opened.orphan(report!.id);
  await opened.sql`
    insert into damaged_files (storage_key, report_id, size_bytes, sha256, property, found)
    values (${damaged}, ${report!.id}, 7, repeat('0', 64), 'size', '6')`;
  await opened.reconcile({ trashMs: 0 });
  await opened.pass("30 days");
  expect(await opened.reconcile({ trashMs: 0 })).toMatchObject({ unnamed: 0, removed: 0 });
  await opened.retire();
  expect(await opened.stored()).toContain(damaged);
});

test("deployments with different prefixes in one store ignore each other's files", async () => {
  const opened = await open();
  const [ours, theirs] = await Promise.all(
    ["ours", "theirs"].map(async (prefix) => createFileStore({ directory: opened.filesDirectory, prefix })),
  );
  const [report] = await several(opened, 1);
  const key = report!.file!.storageKey;
  await ours!.put({ ...(await writeTestPutFile(await opened.readFile(report!))), key });
  for (let count = 0; count < 3; count++) await opened.orphan(undefined, theirs);
  const foreign = await opened.orphan(report!.id, theirs);
  for (let round = 0; round < 3; round++) {
    expect(await opened.reconcile({ trashMs: 0 }, { files: ours! })).toMatchObject({
      files: 1,
      unknown: 0,
      unnamed: 0,
    });
    await opened.pass("30 days");
  }
  expect(await theirs!.stat(foreign)).not.toBeNull();
  expect(await ours!.stat(key)).not.toBeNull();
});

test("the reconciler removes no file if a store's folder is swapped and swapped back", async () => {
  const opened = await open();
  const reports = await several(opened, 15);
  const folder = await mkdtemp(join(tmpdir(), "other-store-"));
  const other = createFileSystemStore({ directory: join(folder, "files") });
  for (let count = 0; count < 5; count++) await opened.orphan(undefined, other);
  const otherKeys = async () => {
    const keys: FileStat[] = [];
    for await (const file of other.list("reports/")) keys.push(file);
    return keys.length;
  };
  for (let round = 0; round < 3; round++) {
    expect(await opened.reconcile({ trashMs: 0 }, { files: other })).toMatchObject({
      scheduled: 0,
      expired: 0,
      removed: 0,
    });
    await opened.pass("30 days");
  }
  expect(await otherKeys()).toBe(5);
  expect(await opened.reconcile({ trashMs: 0 })).toMatchObject({ unnamed: 0, missing: 0, refused: 0 });
  for (const report of reports) expect((await opened.find(report.id)).status).toBe("SUCCEEDED");
  await rm(folder, { recursive: true });
});

describe("RECONCILER", () => {
  async function workOf(opened: MaintenanceUnderTest, mode: ReconcilerMode) {
    const lines: Record<string, unknown>[] = [];
    const log = (message: string, fields?: object) => void lines.push({ message, ...fields });
    const acted: unknown[] = [];
    const work = createReconcileWork({
      mode,
      everyMs: 3_600_000,
      leases: createPeriodicTaskLocks(opened.database),
      reconciler: { run: async () => opened.round(), plan: async () => (await opened.plan()).outcome },
      logger: { info: log, error: log },
      onRound: (round) => void acted.push(round),
    });
    await work(new AbortController().signal);
    return { lines, acted };
  }

  test("RECONCILER=off does nothing, dry-run only logs, on removes files that are due", async () => {
    const opened = await open();
    const [report] = await several(opened, 2);
    const orphan = await opened.orphan(report!.id);
    await opened.reconcile();
    await opened.pass("1 hour");
    await opened.reconcile();
    await opened.pass("8 days");
    const before = { ...(await snapshot(opened)), stored: await opened.stored() };
    expect(await workOf(opened, "off")).toEqual({ lines: [], acted: [] });
    const dry = await workOf(opened, "dry-run");
    expect(dry).toMatchObject({ lines: [{ mode: "dry-run", removed: 1, refused: 0 }], acted: [] });
    expect({ ...(await snapshot(opened)), stored: await opened.stored() }).toEqual(before);
    expect(await workOf(opened, "on")).toMatchObject({ lines: [{ mode: "on", removed: 1 }], acted: [{ removed: 1 }] });
    expect(await opened.stored()).not.toContain(orphan);
  });
});

test("readReconcilerState returns the scheduled files and differences for metrics", async () => {
  const opened = await open();
  const [report, lost] = await several(opened, 4);
  await opened.orphan(report!.id);
  await opened.orphan();
  await opened.files.remove(lost!.file!.storageKey);
  await opened.reconcile();
  await opened.pass("1 hour");
  await opened.reconcile();
  await opened.pass("8 days");
  const state = await opened.database.query(readReconcilerState);
  expect(state).toMatchObject({ listed: [{ reason: "no-record", files: 1 }], refused: 0 });
  expect(state.overdueMs).toBeGreaterThan(86_300_000);
  expect(state.mismatches.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { kind: "no-object", files: 1 },
    { kind: "no-record", files: 1 },
    { kind: "unknown-report", files: 1 },
  ]);
  for (let count = 0; count < 5; count++) await opened.orphan(report!.id);
  await opened.reconcile();
  expect(await opened.database.query(readReconcilerState)).toMatchObject({ refused: 7 });
});
