import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { StoreMismatchError, StoreUnavailableError } from "@reports/core/base";
import { createPeriodicTaskLocks, createWorkerRegistry } from "@reports/db";
import { createLogger } from "@reports/runtime";
import { expect, test, vi } from "vitest";
import { createLaneSlotGate } from "../jobs/lane-slot-gate.ts";
import { productionTimings } from "../clocks.ts";
import { readWorkerConfig } from "../config.ts";
import { composeMaintenance } from "./compose-maintenance.ts";
import {
  openMaintenanceUnderTest,
  shareMaintenanceUnderTest,
  type MaintenanceUnderTest,
} from "../test/maintenance-under-test.ts";

/** Tests that add triggers open a separate database. */
const open = shareMaintenanceUnderTest();

test("an expired file is removed, and its record becomes EXPIRED with an event", async () => {
  const opened = await open();
  const [old, young] = [await opened.succeeded(), await opened.succeeded()];
  await opened.sql`update reports set expires_at = now() - interval '1 s' where id = ${old.id}`;
  expect(await opened.retire()).toEqual({ expired: 1, removed: 1, purged: 0, failures: [] });
  expect(await opened.find(old.id)).toMatchObject({ status: "EXPIRED", file: null, progress: { percent: 100 } });
  expect((await opened.reports.listEvents(old.id)).at(-1)).toMatchObject({ from: "SUCCEEDED", to: "EXPIRED" });
  expect(await opened.leftovers()).toEqual([young.file!.storageKey]);
  expect((await opened.find(young.id)).status).toBe("SUCCEEDED");
  expect(await opened.sql`select from file_removals`).toHaveLength(0);
});

test("expired links are removed, and other links together with their reports", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  const add = async (hash: string, minutes: number) =>
    opened.sql`
      insert into download_links (id, token_hash, report_id, file_id, created_by, created_at, expires_at)
      values (gen_random_uuid(), ${hash}, ${report.id}, ${report.file!.id}, 'basic:alice', now(), now() + make_interval(mins => ${minutes}))`;
  await add("ended", -1);
  await add("living", 1);
  await opened.retire();
  expect((await opened.sql`select token_hash from download_links`).map((row) => row["token_hash"])).toEqual(["living"]);
  await opened.sql`delete from reports`;
  expect(await opened.sql`select from download_links`).toHaveLength(0);
});

test("a file that can't be removed stays on the list for the next round", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  const broken = { remove: async () => Promise.reject(new Error("not now")) };
  expect(await opened.retire({ files: broken })).toMatchObject({ expired: 1, removed: 0 });
  expect(opened.left).toHaveLength(1);
  expect(await opened.leftovers()).toEqual([report.file!.storageKey]);
  expect(await opened.sql`select storage_key, reason, report_id from file_removals`).toEqual([
    { storage_key: report.file!.storageKey, reason: "expired", report_id: report.id },
  ]);
  expect(await opened.retire()).toMatchObject({ expired: 0, removed: 1 });
  expect(await opened.leftovers()).toEqual([]);
});

test("a file that can't be removed does not block the removal of others", async () => {
  const opened = await open();
  const [stuck, other] = [await opened.succeeded(), await opened.succeeded()];
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  const remove = async (key: string) =>
    key === stuck.file!.storageKey ? Promise.reject(new Error("not this one")) : opened.files.remove(key);
  expect(await opened.retire({ files: { remove } })).toMatchObject({ expired: 2, removed: 1 });
  expect(await opened.stored()).toEqual([stuck.file!.storageKey]);
  expect(other.file).not.toBeNull();
});

test("several files that the store can't remove do not block the removal of others", async () => {
  const opened = await open();
  const keys: string[] = [];
  while (keys.length < 6) keys.push((await opened.succeeded()).file!.storageKey);
  const [last, ...stuck] = keys.toSorted().toReversed();
  for (const key of stuck) {
    // A folder in place of the file makes every attempt to remove the file fail.
    await opened.files.remove(key);
    await mkdir(join(opened.filesDirectory, key), { recursive: true });
  }
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  expect(await opened.retire()).toMatchObject({ expired: 6, removed: 1 });
  expect(opened.left).toHaveLength(5);
  expect(opened.left[0]).toBeInstanceOf(StoreUnavailableError);
  expect(await opened.stored()).not.toContain(last);
  const listed = await opened.sql`select storage_key from file_removals order by 1`;
  expect(listed.map((row) => row["storage_key"])).toEqual(stuck.toSorted());
});

test("a round of retention removes one file alone, then several concurrently", async () => {
  const opened = await open();
  for (let count = 0; count < 12; count++) await opened.succeeded();
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  let inProgress = 0;
  const seen: number[] = [];
  const remove = async (key: string) => {
    seen.push((inProgress += 1));
    await opened.files.remove(key);
    inProgress -= 1;
  };
  expect(await opened.retire({ files: { remove } })).toMatchObject({ expired: 12, removed: 12 });
  // `seen` lists the concurrent removals at each start. The first file of each round is removed alone.
  expect(seen).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3]);
  expect(await opened.stored()).toEqual([]);
});

test("a round of retention ends after three failed removals if the store is down", async () => {
  const opened = await open();
  for (let count = 0; count < 5; count++) await opened.succeeded();
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  const unavailable = new StoreUnavailableError("away");
  let tried = 0;
  const remove = async () => {
    tried += 1;
    throw unavailable;
  };
  const identity = { assert: async () => (tried > 0 ? Promise.reject(unavailable) : undefined) };
  expect(await opened.retire({ files: { remove }, identity })).toMatchObject({ expired: 5, removed: 0 });
  expect(tried).toBe(3);
  expect(await opened.sql`select from file_removals`).toHaveLength(5);
});

test("retention does not change the removal list of a store with another store ID", async () => {
  const opened = await open();
  await opened.succeeded();
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  const removed: string[] = [];
  const other = { remove: async (key: string) => void removed.push(key) };
  const identity = { assert: async () => Promise.reject(new StoreMismatchError("another store")) };
  expect(await opened.retire({ files: other, identity })).toMatchObject({ expired: 1, removed: 0 });
  expect(removed).toEqual([]);
  expect(opened.left[0]).toBeInstanceOf(StoreMismatchError);
  expect(await opened.retire()).toMatchObject({ removed: 1 });
  expect(await opened.leftovers()).toEqual([]);
});

test("records expire while the store is unavailable", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  await opened.sql`update reports set expires_at = now() - interval '1 s'`;
  const nothing = () => undefined;
  const maintenance = composeMaintenance({
    database: opened.database,
    config: readWorkerConfig({ DATABASE_URL: "postgres://unused", STORAGE_DIR: "/unused", RECONCILER: "off" }),
    registry: createWorkerRegistry(opened.database),
    files: opened.files,
    identity: { assert: async () => Promise.reject(new StoreUnavailableError("away")) },
    gate: createLaneSlotGate({ lanes: ["quick"], concurrency: 1, mayAcquire: () => true }),
    isTakingJobs: () => false,
    runSchedules: async () => undefined,
    logger: createLogger({ name: "test", level: "error", destination: { write: nothing } }),
    metrics: {
      observeRescue: nothing,
      observeRetention: nothing,
      observeReconciliation: nothing,
      observeMismatch: nothing,
      observeDamage: nothing,
      observeVerification: nothing,
      observeRound: nothing,
    },
    clocks: { ...productionTimings, retention: { everyMs: 200, jitterMs: 50 } },
  });
  maintenance.start();
  try {
    await vi.waitFor(async () => expect((await opened.find(report.id)).status).toBe("EXPIRED"), {
      timeout: 60_000,
      interval: 200,
    });
  } finally {
    await maintenance.stop();
  }
  expect(await opened.stored()).toEqual([report.file!.storageKey]);
});

test("the file of a deleted report is listed for removal and removed by the next round", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  await opened.reports.remove(report.id, "basic:alice");
  expect(await opened.sql`select storage_key, reason from file_removals`).toEqual([
    { storage_key: report.file!.storageKey, reason: "deleted" },
  ]);
  expect(await opened.retire()).toMatchObject({ removed: 1 });
  expect(await opened.leftovers()).toEqual([]);
});

test("a file that an active record names is kept and leaves the removal list", async () => {
  const opened = await open();
  const report = await opened.succeeded();
  await opened.sql`
    insert into file_removals (storage_key, reason, due_at) values (${report.file!.storageKey}, 'expired', now() - interval '1 d')`;
  expect(await opened.retire()).toMatchObject({ removed: 0 });
  expect(await opened.stored()).toEqual([report.file!.storageKey]);
  expect(await opened.sql`select from file_removals`).toHaveLength(0);
});

async function copyExpired(opened: MaintenanceUnderTest, copies: number) {
  const report = await opened.succeeded();
  await opened.sql.unsafe(`
    do $$ begin
      create temp table copies as select r.* from reports r, generate_series(1, ${copies - 1});
      update copies set id = gen_random_uuid(), file_id = gen_random_uuid(), file_storage_key = 'reports/' || gen_random_uuid() || '/1-a.csv';
      insert into reports select * from copies;
      drop table copies;
      update reports set expires_at = now() - interval '1 s';
    end $$`);
  return report;
}

test("1,200 files expire in batches of 500, each with one statement for its events", async () => {
  await using opened = await openMaintenanceUnderTest();
  const report = await copyExpired(opened, 1_200);
  await opened.sql`create table event_statements (events bigint)`;
  await opened.sql`
    create function count_events() returns trigger language plpgsql as $$
    begin insert into event_statements select count(*) from added; return null; end $$`;
  await opened.sql`
    create trigger count_events after insert on report_events referencing new table as added
    for each statement execute function count_events()`;
  expect(await opened.retire()).toMatchObject({ expired: 1_200, removed: 1_200 });
  expect((await opened.sql`select events::int from event_statements`).map((row) => row["events"])).toEqual([
    500, 500, 200,
  ]);
  expect((await opened.reports.listEvents(report.id)).at(-1)).toMatchObject({ from: "SUCCEEDED", to: "EXPIRED" });
});

/** Cancels statements that insert more than `most` events, as Postgres does at a statement timeout. */
async function cancelAbove(opened: MaintenanceUnderTest, most: number) {
  await opened.sql.unsafe(`
    create function cancel() returns trigger language plpgsql as $$
    begin
      if (select count(*) from added) > ${most} then
        raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
      end if;
      return null;
    end $$;
    create trigger cancel after insert on report_events referencing new table as added for each statement execute function cancel()`);
}

test("a batch that exceeds the statement timeout is repeated in smaller batches", async () => {
  await using opened = await openMaintenanceUnderTest();
  await copyExpired(opened, 300);
  await cancelAbove(opened, 130);
  expect(await opened.retire()).toEqual({ expired: 300, removed: 300, purged: 0, failures: [] });
});

test("a failed step of retention does not stop other steps, but the round fails", async () => {
  await using opened = await openMaintenanceUnderTest();
  await copyExpired(opened, 2);
  const old = await opened.succeeded();
  await opened.reports.remove(old.id, "basic:alice");
  await opened.sql`update reports set deleted_at = now() - interval '91 d' where id = ${old.id}`;
  await cancelAbove(opened, 0);
  expect(await opened.retire()).toEqual({
    expired: 0,
    removed: 1,
    purged: 1,
    failures: [{ step: "expired", error: expect.any(StoreUnavailableError) }],
  });
});

test("expired and deleted reports are removed after 90 days, with their events", async () => {
  const opened = await open();
  const [expired, deleted, living] = [await opened.succeeded(), await opened.succeeded(), await opened.succeeded()];
  const { id: queued } = await opened.start({ reportType: "PROXY", format: "csv" });
  await opened.reports.remove(deleted.id, "basic:alice");
  await opened.sql`update reports set expires_at = now() - interval '1 s' where id = ${expired.id}`;
  await opened.retire();
  await opened.sql`update reports set created_at = now() - interval '100 d', finished_at = finished_at - interval '86 d', deleted_at = deleted_at - interval '89 d'`;
  expect(await opened.retire()).toMatchObject({ expired: 0, purged: 0 });
  await opened.sql`update reports set finished_at = finished_at - interval '2 d', deleted_at = deleted_at - interval '2 d'`;
  expect(await opened.retire()).toMatchObject({ expired: 0, purged: 2 });
  const left = await opened.sql`select id from reports`;
  expect(new Set(left.map((row) => row["id"]))).toEqual(new Set([living.id, queued]));
  expect(await opened.reports.listEvents(expired.id)).toEqual([]);
});

test("tombstones of proxies are removed after those of their domains", async () => {
  const opened = await open();
  const proxy = randomUUID();
  await opened.sql`insert into proxies (id, name, kind, address, port, protocol, deleted_at) values (${proxy}, 'p', 'REVERSE', 'h', 1, 'HTTP', now() - interval '91 d')`;
  await opened.sql`insert into domains (id, proxy_id, hostname, hostname_ascii, upstream_scheme, upstream_host, upstream_port, tls_mode, deleted_at)
    values (${randomUUID()}, ${proxy}, 'a.b', 'a.b', 'HTTP', 'u', 1, 'NONE', now() - interval '91 d')`;
  expect(await opened.retire()).toMatchObject({ purged: 2 });
  expect(await opened.sql`select from proxies`).toHaveLength(0);
});

test("only one of many workers gets a lease, the next one after the lease has expired", async () => {
  const opened = await open();
  const leases = createPeriodicTaskLocks(opened.database);
  const taken = await Promise.all(Array.from({ length: 8 }, () => leases.take("work", 60_000)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await leases.take("other work", 60_000)).not.toBeNull();
  await opened.sql`update maintenance_turns set taken_at = taken_at - interval '61 s'`;
  expect(await leases.take("work", 60_000)).not.toBeNull();
});

test("releasing an expired lease does not release the lease of another worker", async () => {
  const opened = await open();
  const leases = createPeriodicTaskLocks(opened.database);
  const lapsed = await leases.take("work", 60_000);
  await opened.sql`update maintenance_turns set taken_at = taken_at - interval '61 s'`;
  const taken = await leases.take("work", 60_000);
  await lapsed!.release();
  expect(await leases.take("work", 60_000)).toBeNull();
  await taken!.release();
  expect(await leases.take("work", 60_000)).not.toBeNull();
});
