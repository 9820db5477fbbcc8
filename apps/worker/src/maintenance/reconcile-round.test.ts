import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StoreMismatchError } from "@reports/core/base";
import { expect, test } from "vitest";
import { shareMaintenanceUnderTest, type MaintenanceUnderTest } from "../test/maintenance-under-test.ts";

const open = shareMaintenanceUnderTest();

type Round = Awaited<ReturnType<MaintenanceUnderTest["round"]>>;

/** Opens a database with two reports whose files have been compared once. */
async function openCompared() {
  const opened = await open();
  const [report] = [await opened.succeeded(), await opened.succeeded()];
  /** Each comparison counts as one of 20,000 files, because small stores are compared in every round. */
  const round = async (change: Parameters<typeof opened.round>[0] = {}): Promise<Round> => {
    const done = await opened.round(change);
    await opened.sql`update reconciler_log set files = 20000 where action = 'compared'`;
    return done;
  };
  expect(await round()).toMatchObject({ kind: "all", files: 2, sizes: 2 });
  const { storageKey } = report.file!;
  const path = join(opened.filesDirectory, storageKey);
  return {
    opened,
    report,
    round,
    storageKey,
    /** Rounds that list the store fail. */
    unlisted: { files: { ...opened.files, list: () => expect.unreachable("the store was listed") } },
    async write(bytes: Uint8Array): Promise<void> {
      await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    },
    /** Moves everything that the reconciler has recorded into the past. */
    async pass(time: string): Promise<void> {
      await opened.pass(time);
      await opened.sql`update reconciler_log set at = at - ${time}::interval`;
    },
  };
}

test("a round compares all files if the last such comparison was a day ago", async () => {
  const compared = await openCompared();
  const { round, unlisted, pass } = compared;
  expect(await round(unlisted)).toEqual({ kind: "sample", checked: 2 });
  await pass("23 hours");
  expect(await round(unlisted)).toMatchObject({ kind: "sample" });
  await pass("31 minutes");
  expect(await round()).toMatchObject({ kind: "all", files: 2 });
  expect(await round(unlisted)).toMatchObject({ kind: "sample" });
});

test("a round compares all files if their number was small, or the clock of Postgres was set back", async () => {
  const compared = await openCompared();
  const { opened, round } = compared;
  await opened.sql`update reconciler_log set files = 10000`;
  expect(await round()).toMatchObject({ kind: "all" });
  await opened.sql`update reconciler_log set at = at + interval '3 days'`;
  expect(await round()).toMatchObject({ kind: "all" });
  expect(await round()).toMatchObject({ kind: "sample" });
});

test("with RECONCILE_ALL_HOURS=0, every round compares all files", async () => {
  const compared = await openCompared();
  for (let count = 0; count < 2; count++)
    expect(await compared.round({ limits: { compareAllMs: 0 } })).toMatchObject({ kind: "all" });
});

test("a missing file of the sample is compared until it is confirmed, when it returns, and when it expires", async () => {
  const compared = await openCompared();
  const { opened, report, round, unlisted, storageKey, write, pass } = compared;
  // Enough other reports that one missing file does not count as too many.
  for (let count = 0; count < 3; count++) await opened.succeeded();
  const { body } = await opened.files.open(storageKey);
  const bytes = Buffer.concat(await body.toArray());
  await opened.files.remove(storageKey);
  for (let count = 0; count < 2; count++) expect(await round()).toMatchObject({ kind: "all", missing: 1, expired: 0 });
  await pass("3 hours");
  expect(await round(unlisted)).toEqual({ kind: "sample", checked: 4 });
  await write(bytes);
  expect(await round()).toMatchObject({ kind: "all", missing: 0 });
  expect(await round(unlisted)).toEqual({ kind: "sample", checked: 5 });
  await opened.files.remove(storageKey);
  await round();
  await pass("7 days");
  expect(await round()).toMatchObject({ kind: "all", missing: 1, expired: 1 });
  expect((await opened.find(report.id)).status).toBe("EXPIRED");
});

test("an orphaned file is compared until its removal is scheduled, when it vanishes, and when it is due", async () => {
  const compared = await openCompared();
  const { opened, report, round, unlisted, pass } = compared;
  for (let count = 0; count < 3; count++) await opened.succeeded();
  const orphan = await opened.orphan(report.id);
  expect(await round()).toMatchObject({ kind: "sample" });
  await pass("25 hours");
  expect(await round()).toMatchObject({ kind: "all", unnamed: 1, scheduled: 0 });
  await pass("1 hour");
  expect(await round()).toMatchObject({ kind: "all", scheduled: 1 });
  await pass("2 hours");
  expect(await round(unlisted)).toMatchObject({ kind: "sample" });
  await opened.files.remove(orphan);
  expect(await round()).toMatchObject({ kind: "all", unnamed: 0 });
  const second = await opened.orphan(report.id);
  await pass("25 hours");
  await round();
  await pass("1 hour");
  expect(await round()).toMatchObject({ scheduled: 1 });
  // The last comparison began less than a day ago, so only the due removal leads to the next one.
  await opened.pass("8 days");
  expect(await round()).toMatchObject({ kind: "all", removed: 1 });
  expect(await opened.stored()).not.toContain(second);
});

test("while files of unknown reports are stored, every round compares all files", async () => {
  const compared = await openCompared();
  const { opened, round, pass } = compared;
  const unknown = await opened.orphan();
  await pass("25 hours");
  for (let count = 0; count < 2; count++) {
    expect(await round()).toMatchObject({ kind: "all", unknown: 1 });
    await pass("5 hours");
  }
  await opened.files.remove(unknown);
  expect(await round()).toMatchObject({ kind: "all", unknown: 0 });
  expect(await round()).toMatchObject({ kind: "sample" });
});

test("if a file of the sample has another size than in its record, it becomes suspicious", async () => {
  const compared = await openCompared();
  const { opened, report, round, storageKey, write } = compared;
  await write(Buffer.alloc(report.file!.sizeBytes + 1));
  expect((await opened.plan()).steps).toEqual([`wrong-size ${storageKey}`]);
  expect(await opened.sql`select from file_suspicions`).toHaveLength(0);
  expect(await round()).toMatchObject({ kind: "all", sizes: 2, wrongSizes: 1 });
  expect(await opened.sql`select report_id from file_suspicions`).toEqual([{ report_id: report.id }]);
});

test("the reconciler notes no more files while 100 are suspicious", async () => {
  const compared = await openCompared();
  const { opened, report, storageKey } = compared;
  await opened.sql`
    with made as (
      insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures)
      select gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'basic:alice', 'waiting', 3 from generate_series(1, 100)
      returning id)
    insert into file_suspicions (report_id) select id from made`;
  const isNoted = async () => {
    await opened.index.suspect([storageKey]);
    return (await opened.sql`select from file_suspicions where report_id = ${report.id}`).length === 1;
  };
  expect(await isNoted()).toBe(false);
  await opened.sql`delete from file_suspicions where report_id = (select report_id from file_suspicions limit 1)`;
  expect(await isNoted()).toBe(true);
});

test("a file that is removed with its record during the round does not count as missing", async () => {
  const compared = await openCompared();
  const { opened, report, round, storageKey } = compared;
  const stat: typeof opened.files.stat = async (key, options) => {
    if (key !== storageKey) return opened.files.stat(key, options);
    await opened.reports.remove(report.id, "basic:alice");
    return null;
  };
  expect(await round({ files: { ...opened.files, stat } })).toMatchObject({ kind: "sample" });
});

test("after reconcile --undo, the next round compares all files", async () => {
  const compared = await openCompared();
  const { opened, round } = compared;
  expect(await opened.index.undo()).toBe(0);
  expect(await round()).toMatchObject({ kind: "all" });
  expect(await round()).toMatchObject({ kind: "sample" });
});

test("a round in a store with another store ID rejects and looks up no file", async () => {
  const compared = await openCompared();
  const { opened, round } = compared;
  const assert = async () => Promise.reject(new StoreMismatchError("another store"));
  const files = { ...opened.files, stat: () => expect.unreachable("a file was looked up") };
  await expect(round({ identity: { assert }, files })).rejects.toBeInstanceOf(StoreMismatchError);
});
