import { reconcileFiles, retire, type Report } from "@reports/core";
import { createDatabase, createFileIndex, createRetentionStore, createTurns } from "@reports/db";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startWorkerUnderTest } from "../test/worker-under-test.ts";

const day = 86_400_000;
const never = new AbortController().signal;

async function openMaintenance() {
  const worker = await startWorkerUnderTest();
  const database = createDatabase({ url: worker.databaseUrl, max: 2 });
  const left: unknown[] = [];
  return {
    ...worker,
    database,
    left,
    async succeeded(): Promise<Report> {
      const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
      await worker.run(id);
      return worker.find(id);
    },
    retire: (files = worker.files) =>
      retire({ retention: createRetentionStore(database), files }, { recordRetentionMs: 90 * day }, never, (error) =>
        left.push(error),
      ),
    /** `now` is by how much the clock is ahead, as files cannot be made older. */
    reconcile: (aheadMs = 2 * day, limits: { massCount?: number } = {}) =>
      reconcileFiles(
        { index: createFileIndex(database), files: worker.files, now: () => new Date(Date.now() + aheadMs) },
        { minAgeMs: day, secondLookMs: 60_000, massCount: limits.massCount ?? 20, massShare: 0.05 },
        never,
      ),
    /** As though the last look was an hour ago. */
    age: () => worker.sql`update file_mismatches set first_seen_at = first_seen_at - interval '1 hour'`,
    async orphan(name = randomUUID()): Promise<string> {
      const path = join(tmpdir(), `orphan-${name}`);
      await writeFile(path, "orphan");
      const key = `reports/${name}/1-orphan.csv`;
      await worker.files.put({ key, path, sizeBytes: 6, sha256: "0".repeat(64), contentType: "text/csv" });
      return key;
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await worker[Symbol.asyncDispose]();
    },
  };
}

test("a file whose time is over is removed, its record says EXPIRED, and the event is written; others stay", async () => {
  await using opened = await openMaintenance();
  const [old, young] = [await opened.succeeded(), await opened.succeeded()];
  await opened.sql`update reports set expires_at = now() - interval '1 s' where id = ${old.id}`;
  expect(await opened.retire()).toEqual({ expired: 1, purged: 0 });
  expect(await opened.find(old.id)).toMatchObject({ status: "EXPIRED", file: null, progress: { percent: 100 } });
  expect((await opened.reports.listEvents(old.id)).at(-1)).toMatchObject({ from: "SUCCEEDED", to: "EXPIRED" });
  expect(await opened.leftovers()).toEqual([young.file!.storageKey]);
  expect((await opened.find(young.id)).status).toBe("SUCCEEDED");
});

test("an expired file that cannot be removed now is told of, and the next comparisons remove it", async () => {
  await using opened = await openMaintenance();
  const report = await opened.succeeded();
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  const broken = { ...opened.files, remove: async () => Promise.reject(new Error("the store is away")) };
  expect(await opened.retire(broken)).toMatchObject({ expired: 1 });
  expect(opened.left).toHaveLength(1);
  expect(await opened.leftovers()).toEqual([report.file!.storageKey]);
  await opened.reconcile();
  await opened.age();
  expect(await opened.reconcile()).toMatchObject({ removed: 1 });
  expect(await opened.leftovers()).toEqual([]);
});

test("records and tombstones go 90 days after their end, with their events; running, living and younger ones stay", async () => {
  await using opened = await openMaintenance();
  const [expired, deleted, living] = [await opened.succeeded(), await opened.succeeded(), await opened.succeeded()];
  const { id: queued } = await opened.start({ reportType: "PROXY", format: "csv" });
  await opened.reports.remove(deleted.id);
  await opened.sql`update reports set expires_at = now() - interval '1 s' where id = ${expired.id}`;
  await opened.retire();
  await opened.sql`update reports set created_at = now() - interval '100 d', finished_at = finished_at - interval '89 d', deleted_at = deleted_at - interval '89 d'`;
  expect(await opened.retire()).toEqual({ expired: 0, purged: 0 });
  await opened.sql`update reports set finished_at = finished_at - interval '2 d', deleted_at = deleted_at - interval '2 d'`;
  expect(await opened.retire()).toEqual({ expired: 0, purged: 2 });
  const left = await opened.sql`select id from reports`;
  expect(new Set(left.map((row) => row["id"]))).toEqual(new Set([living.id, queued]));
  expect(await opened.reports.listEvents(expired.id)).toEqual([]);
});

test("tombstones of proxies go once those of their domains have gone", async () => {
  await using opened = await openMaintenance();
  const proxy = randomUUID();
  await opened.sql`insert into proxies (id, name, kind, address, port, protocol, deleted_at) values (${proxy}, 'p', 'REVERSE', 'h', 1, 'HTTP', now() - interval '91 d')`;
  await opened.sql`insert into domains (id, proxy_id, hostname, hostname_ascii, upstream_scheme, upstream_host, upstream_port, tls_mode, deleted_at)
    values (${randomUUID()}, ${proxy}, 'a.b', 'a.b', 'HTTP', 'u', 1, 'NONE', now() - interval '91 d')`;
  expect(await opened.retire()).toMatchObject({ purged: 2 });
  expect(await opened.sql`select from proxies`).toHaveLength(0);
});

test("an object without a record is removed by the second look, not by the first, and a named one never", async () => {
  await using opened = await openMaintenance();
  const report = await opened.succeeded();
  const orphan = await opened.orphan();
  expect(await opened.reconcile()).toMatchObject({ files: 2, removed: 0 });
  expect(await opened.reconcile()).toMatchObject({ removed: 0 });
  await opened.age();
  expect(await opened.reconcile()).toMatchObject({ removed: 1, refused: 0 });
  expect(await opened.leftovers()).toEqual([report.file!.storageKey]);
  expect(orphan).not.toBe(report.file!.storageKey);
});

test("nothing younger than a day is an orphan", async () => {
  await using opened = await openMaintenance();
  const orphan = await opened.orphan();
  await opened.reconcile(0);
  await opened.age();
  expect(await opened.reconcile(0)).toMatchObject({ files: 1, removed: 0 });
  expect(await opened.leftovers()).toEqual([orphan]);
});

test("an object that a record names by the second look stays", async () => {
  await using opened = await openMaintenance();
  const report = await opened.succeeded();
  const key = await opened.orphan();
  await opened.reconcile();
  await opened.age();
  await opened.files.remove(report.file!.storageKey);
  await opened.sql`update reports set file_storage_key = ${key}`;
  expect(await opened.reconcile()).toMatchObject({ removed: 0 });
  expect(await opened.leftovers()).toEqual([key]);
});

test("a mass of orphans is refused and told of, because it is rather a wrong database or store", async () => {
  await using opened = await openMaintenance();
  for (let count = 0; count < 4; count++) await opened.orphan();
  await opened.reconcile(2 * day, { massCount: 3 });
  await opened.age();
  expect(await opened.reconcile(2 * day, { massCount: 3 })).toMatchObject({ removed: 0, refused: 4 });
  expect(await opened.leftovers()).toHaveLength(4);
});

test("a record whose object is gone becomes EXPIRED by the second look; one that is younger than a day is left", async () => {
  await using opened = await openMaintenance();
  const [lost, young] = [await opened.succeeded(), await opened.succeeded()];
  for (const report of [lost, young]) await opened.files.remove(report.file!.storageKey);
  await opened.sql`update reports set finished_at = now() - interval '25 hours' where id = ${lost.id}`;
  await opened.reconcile();
  expect((await opened.find(lost.id)).status).toBe("SUCCEEDED");
  await opened.age();
  expect(await opened.reconcile()).toMatchObject({ expired: 1 });
  expect((await opened.find(lost.id)).status).toBe("EXPIRED");
  expect((await opened.find(young.id)).status).toBe("SUCCEEDED");
});

test("of many workers one takes each turn, and the next one only after its time", async () => {
  await using opened = await openMaintenance();
  const turns = createTurns(opened.database);
  const taken = await Promise.all(Array.from({ length: 8 }, () => turns.take("work", 60_000)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await turns.take("other work", 60_000)).toBe(true);
  await opened.sql`update maintenance_turns set taken_at = taken_at - interval '61 s'`;
  expect(await turns.take("work", 60_000)).toBe(true);
});
