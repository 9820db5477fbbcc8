import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StoreMismatchError } from "@reports/core/base";
import type { Report } from "@reports/core/report";
import { expect, test } from "vitest";
import { openMaintenanceUnderTest, type MaintenanceUnderTest } from "../test/maintenance-under-test.ts";

/** The clock of the machine. With it, all reports of a test are new. The other clock is three days ahead. */
const withRealClock = { now: () => new Date() };

/** Opens a database with two reports whose files have been compared once. */
async function openCompared() {
  const opened = await openMaintenanceUnderTest();
  const [report] = [await opened.succeeded(), await opened.succeeded()];
  expect(await opened.round()).toMatchObject({ kind: "all", files: 2, sizes: 2 });
  return { opened, report };
}

async function lengthen({ filesDirectory }: MaintenanceUnderTest, { file }: Report): Promise<void> {
  const path = join(filesDirectory, file!.storageKey);
  await rm(path);
  await writeFile(path, Buffer.alloc(file!.sizeBytes + 1));
}

async function expectSuspicion({ sql }: MaintenanceUnderTest, { id }: Report): Promise<void> {
  expect(await sql`select report_id from file_suspicions`).toEqual([{ report_id: id }]);
}

test("a round compares all files only if the last such comparison was a day ago", async () => {
  const { opened } = await openCompared();
  await using _ = opened;
  const unlisted = { files: { ...opened.files, list: () => expect.unreachable("the store was listed") } };
  expect(await opened.round(unlisted)).toEqual({ kind: "sample", checked: 2, missing: 0, wrongSizes: 0 });
  await opened.sql`update reconciler_log set at = at - interval '23 hours'`;
  expect(await opened.round(unlisted)).toMatchObject({ kind: "sample" });
  await opened.sql`update reconciler_log set at = at - interval '2 hours'`;
  expect(await opened.round()).toMatchObject({ kind: "all", files: 2 });
  expect(await opened.round(unlisted)).toMatchObject({ kind: "sample" });
});

test("if a file of the sample is missing, rounds compare all files until it is back", async () => {
  const { opened, report } = await openCompared();
  await using _ = opened;
  const { storageKey } = report.file!;
  const { body } = await opened.files.open(storageKey);
  const bytes = Buffer.concat(await body.toArray());
  await opened.files.remove(storageKey);
  for (let round = 0; round < 2; round++)
    expect(await opened.round()).toMatchObject({ kind: "all", missing: 1, expired: 0 });
  const path = join(opened.filesDirectory, storageKey);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  expect(await opened.round()).toMatchObject({ kind: "all", missing: 0 });
  expect(await opened.round()).toMatchObject({ kind: "sample", missing: 0 });
});

test.each(["a known", "an unknown"])(
  "an orphaned file of %s report makes every round compare all files",
  async (of) => {
    const { opened, report } = await openCompared();
    await using _ = opened;
    const orphan = await opened.orphan(of === "a known" ? report.id : undefined);
    expect(await opened.round()).toMatchObject({ kind: "sample" });
    await opened.sql`update reconciler_log set at = at - interval '25 hours'`;
    for (let round = 0; round < 2; round++) expect(await opened.round()).toMatchObject({ kind: "all", files: 3 });
    await opened.files.remove(orphan);
    expect(await opened.round()).toMatchObject({ kind: "all", files: 2 });
    expect(await opened.round()).toMatchObject({ kind: "sample" });
  },
);

test("a file with another size than in its record is suspicious", async () => {
  const { opened, report } = await openCompared();
  await using _ = opened;
  await lengthen(opened, report);
  expect(await opened.round()).toMatchObject({ kind: "all", sizes: 2, wrongSizes: 1 });
  await expectSuspicion(opened, report);
  await opened.sql`delete from file_suspicions`;
  expect(await opened.reconcile()).toMatchObject({ wrongSizes: 1 });
  await expectSuspicion(opened, report);
});

test("a file of a new report is looked up, although a comparison of all files ignores it", async () => {
  const { opened } = await openCompared();
  await using _ = opened;
  const { id } = await opened.start({ reportType: "PROXY", format: "csv" });
  await opened.run(id);
  expect(await opened.round(withRealClock)).toMatchObject({ kind: "sample", missing: 0 });
  const report = await opened.find(id);
  await lengthen(opened, report);
  expect(await opened.round(withRealClock)).toMatchObject({ kind: "all", named: 2, wrongSizes: 0 });
  await expectSuspicion(opened, report);
  await opened.files.remove(report.file!.storageKey);
  expect(await opened.round(withRealClock)).toMatchObject({ kind: "all", named: 2, missing: 0 });
});

test("a file that is removed with its record during the round does not count as missing", async () => {
  const { opened, report } = await openCompared();
  await using _ = opened;
  const stat: typeof opened.files.stat = async (key, options) => {
    if (key !== report.file!.storageKey) return opened.files.stat(key, options);
    await opened.reports.remove(report.id, "basic:alice");
    return null;
  };
  expect(await opened.round({ files: { ...opened.files, stat } })).toMatchObject({ kind: "sample", missing: 0 });
});

test("after reconcile --undo, the next round compares all files", async () => {
  const { opened } = await openCompared();
  await using _ = opened;
  expect(await opened.index.undo()).toBe(0);
  expect(await opened.round()).toMatchObject({ kind: "all" });
  expect(await opened.round()).toMatchObject({ kind: "sample" });
});

test("a round in a store with another store ID rejects and looks up no file", async () => {
  const { opened } = await openCompared();
  await using _ = opened;
  const assert = async () => Promise.reject(new StoreMismatchError("another store"));
  const files = { ...opened.files, stat: () => expect.unreachable("a file was looked up") };
  await expect(opened.round({ identity: { assert }, files })).rejects.toBeInstanceOf(StoreMismatchError);
});
