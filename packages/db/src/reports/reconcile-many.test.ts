import { reconcileFiles, runReconcileRound, type ReconcileLimits } from "@reports/core/report";
import type { FileStat } from "@reports/core/base";
import { collectGarbage, createTestDatabases, isFullTestRun } from "@reports/testing";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { createDatabase } from "../database/database.ts";
import { createReconciliationStore } from "./reconciliation-store.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";

vi.setConfig({ testTimeout: 600_000 });

const { cloneDatabase } = createTestDatabases({ template: "many_reports", migrate: fillDatabase, otherOwners: false });
const day = 86_400_000;
/** More than the 10,000 files that the reconciler compares in every round. */
const records = isFullTestRun ? 60_000 : 12_000;
/** Less than the keys of all files need. */
const maxHeapMebibytes = isFullTestRun ? 6 : 1.5;
const many = records.toLocaleString("en");
const heapUsed = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};
const isMeasured = (number: number, before: number): boolean =>
  isFullTestRun ? number % (records / 2) === 0 : number === records && before === 0;
const never = new AbortController().signal;
const limits: ReconcileLimits = {
  minAgeMs: day,
  confirmAfterMs: 1_800_000,
  trashMs: 7 * day,
  recordRetentionMs: 90 * day,
  massCount: 20,
  // If two thirds of the files differ, their share is above these limits. If the reconciler counted only 5,000 of them, their share would be below.
  massShare: 0.5,
  maxShare: 0.6,
};

const others = {
  identity: { assert: async () => undefined },
  now: () => new Date(),
  onRemovalError: () => undefined,
};

const idOf = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
const keyOf = (number: number, attempt = 1): string => `reports/${idOf(number)}/${attempt}-aaaaaaaaaaaa.csv`;

async function fillDatabase(databaseUrl: string): Promise<void> {
  await migrateDatabase({ databaseUrl });
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await sql`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, finished_at,
      progress_phase, percent, attempt, max_failures, file_id, file_name, file_extension, file_content_type, file_size_bytes, file_sha256,
      file_columns, file_storage_key)
    select id, 'PROXY', 1, 't', 'SUCCEEDED', '{}', '{}', 'basic:alice', now() - interval '2 days', 'done', 100, 1, 3, id, 'f', 'csv',
      'text/csv', 1, repeat('a', 64), '{}', 'reports/' || id || '/1-aaaaaaaaaaaa.csv'
    from (select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, ${records}::integer) as n) as made`;
  await sql`analyze reports`;
  await sql.end();
}

async function openMany({ measures = false } = {}) {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 2, deadlineMs: 30_000 });
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const removed = new Set<string>();
  let lookups = 0;
  let largestHeap = 0;
  const lastModified = new Date(Date.now() - 2 * day);
  const stat: FileStat = { key: "", sizeBytes: 1, lastModified, version: "1", sha256: null };
  const store = (present: (number: number) => boolean, orphans: number) => ({
    async *list(): AsyncIterable<FileStat> {
      const file = (key: string): FileStat => ({ ...stat, key });
      for (let number = 1; number <= records; number++) {
        if (present(number)) yield file(keyOf(number));
        if (number <= orphans && !removed.has(keyOf(number, 2))) yield file(keyOf(number, 2));
        // The heap is largest near the end of the list. A garbage collection takes most of a second, so only CI measures it more often.
        if (measures && isMeasured(number, largestHeap)) largestHeap = Math.max(largestHeap, heapUsed());
      }
    },
    stat: async (key: string) => {
      lookups += 1;
      const number = Number.parseInt(key.slice("reports/00000000-0000-7000-8000-".length).slice(0, 12), 16);
      return key === keyOf(number) && present(number) ? { ...stat, key } : null;
    },
    remove: async (key: string) => void removed.add(key),
    abortStaleUploads: async () => 0,
  });
  return {
    sql,
    removed,
    lookups: () => lookups,
    largestHeap: () => largestHeap,
    async rounds(files: ReturnType<typeof store>, times: readonly string[]) {
      const outcomes = [];
      for (const pass of [...times, "0"]) {
        const index = createReconciliationStore(database);
        const unnamed = async (keys: readonly string[]) => {
          lookups += keys.length;
          return index.unnamed(keys);
        };
        outcomes.push(await reconcileFiles({ ...others, index: { ...index, unnamed }, files }, limits, never));
        await sql`update file_mismatches set first_seen_at = first_seen_at - ${pass}::interval`;
        await sql`update file_removals set due_at = due_at - ${pass}::interval`;
      }
      return outcomes;
    },
    store,
    round: async (files: ReturnType<typeof store>) =>
      runReconcileRound(
        { ...others, index: createReconciliationStore(database), files },
        { ...limits, everyMs: 3_600_000, compareAllMs: day },
        never,
      ),
    async [Symbol.asyncDispose]() {
      await sql.end();
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test(`the reconciler compares ${many} files with less than ${maxHeapMebibytes} MiB of additional heap`, async () => {
  await using opened = await openMany({ measures: true });
  const before = heapUsed();
  const [missing, unnamed] = [records / 40, records / 24];
  const store = opened.store((number) => number > missing, unnamed);
  const [first, second, third] = await opened.rounds(store, ["1 hour", "8 days"]);
  const files = records - missing + unnamed;
  const counts = { files, compared: files, unnamed, named: records, missing, refused: 0 };
  expect(first).toMatchObject({ ...counts, scheduled: 0, removed: 0, expired: 0 });
  expect(second).toMatchObject({ ...counts, scheduled: unnamed, removed: 0, expired: 0 });
  expect(third).toMatchObject({ ...counts, scheduled: 0, removed: unnamed, expired: missing });
  expect(opened.removed.size).toBe(unnamed);
  expect([...opened.removed].every((key) => key.endsWith("/2-aaaaaaaaaaaa.csv"))).toBe(true);
  expect(opened.largestHeap() - before).toBeLessThan(maxHeapMebibytes * 1024 ** 2);
});

test(`the reconciler changes nothing if most of ${many} files differ from the records`, async () => {
  await using opened = await openMany();
  await opened.sql`update reports set file_storage_key = 'reports/other/' || id where id > ${idOf(records / 3)}`;
  const outcomes = await opened.rounds(
    opened.store(() => true, 0),
    ["30 days"],
  );
  const differing = (records * 2) / 3;
  const counts = { compared: records, unnamed: differing, named: records, missing: differing, refused: 2 * differing };
  for (const outcome of outcomes) expect(outcome).toMatchObject({ ...counts, scheduled: 0, removed: 0, expired: 0 });
  expect(opened.removed.size).toBe(0);
  expect(await opened.sql`select from reports where status = 'EXPIRED'`).toHaveLength(0);
});

test("the reconciler looks up a single key only where files and records differ", async () => {
  await using opened = await openMany();
  const [same] = await opened.rounds(
    opened.store(() => true, 0),
    [],
  );
  expect(same).toMatchObject({ files: records, compared: records, named: records, unnamed: 0, missing: 0 });
  expect(opened.lookups()).toBe(0);
  const [different] = await opened.rounds(
    opened.store((number) => number !== records / 2, 1),
    [],
  );
  expect(different).toMatchObject({ files: records, named: records, unnamed: 1, missing: 1 });
  expect(opened.lookups()).toBeLessThanOrEqual(4);
});

test("the reconciler finds the same differences in any order of the store's listing", async () => {
  await using opened = await openMany();
  const store = opened.store((number) => number > 3, 5);
  const list = async function* () {
    const listed = await Array.fromAsync(store.list());
    for (let from = 0; from < 1_009; from++)
      for (let at = listed.length - 1 - from; at >= 0; at -= 1_009) yield listed[at]!;
  };
  const [outcome] = await opened.rounds({ ...store, list }, []);
  const counts = { files: records + 2, compared: records + 2, named: records, unnamed: 5, unknown: 0, missing: 3 };
  expect(outcome).toMatchObject({ ...counts, refused: 0 });
});

test(`between comparisons of ${many} files, a round looks up 1,000 random ones`, async () => {
  await using opened = await openMany();
  const whole = opened.store(() => true, 0);
  expect(await opened.round(whole)).toMatchObject({ kind: "all", files: records, sizes: records });
  const seen = new Set<string>();
  const files = {
    ...whole,
    list: () => expect.unreachable("the store was listed"),
    stat: async (key: string) => (seen.add(key), whole.stat(key)),
  };
  const rounds = [await opened.round(files), await opened.round(files)];
  expect(rounds).toEqual(Array.from({ length: 2 }, () => ({ kind: "sample", checked: 1_000 })));
  // Two random samples of 12,000 have about 83 files in common.
  expect(seen.size).toBeGreaterThan(1_500);
});

test(`a round notices that 2 % of ${many} files are missing, and compares all files`, async () => {
  await using opened = await openMany();
  await opened.round(opened.store(() => true, 0));
  expect(await opened.round(opened.store((number) => number % 50 !== 0, 0))).toMatchObject({
    kind: "all",
    missing: records / 50,
  });
});
