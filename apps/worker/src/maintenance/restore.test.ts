import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "@reports/core/report";
import { createStoreIdRepository } from "@reports/db";
import { newId } from "@reports/runtime";
import {
  adoptEmptyStore,
  adoptStore,
  createFileSystemStore,
  createStoreIdentity,
  compareStoreIds,
} from "@reports/storage";
import { isFullTestRun } from "@reports/testing";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { openMaintenanceUnderTest } from "../test/maintenance-under-test.ts";

/** The test follows the steps of this page, so that the page stays correct. */
const page = await readFile(new URL("../../../../docs/guides/running/restore.md", import.meta.url), "utf8");
/** The first setting or command of each numbered step, in its sentence or in its code block. */
const steps = page
  .split(/^\d+\. /m)
  .slice(1)
  .map((step) => /\bRECONCILER=\w+|\bpg_restore\b|\b(?:store-marker|reconcile) (?:--)?[a-z-]+/.exec(step)?.[0] ?? step);

async function openDeployment() {
  const opened = await openMaintenanceUnderTest();
  const store = createFileSystemStore({ directory: opened.filesDirectory });
  const record = createStoreIdRepository(opened.database);
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const identity = createStoreIdentity({ store, record, logger });
  await adoptEmptyStore({ store, record, newId });

  const name = new URL(opened.databaseUrl).pathname.slice(1);
  const serverUrl = new URL(opened.databaseUrl);
  serverUrl.pathname = "/postgres";
  const admin = postgres(serverUrl.href, { max: 1, onnotice: () => undefined });
  const dumps: string[] = [];
  const copies: string[] = [];
  /** Copies a database. Postgres requires that the original has no connections, so they are closed. */
  const copyDatabase = async (from: string, to: string): Promise<void> => {
    // Waits for the end of these processes. A pool would otherwise send its next query to one that is ending.
    await admin`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname in (${from}, ${to})`;
    await admin`drop database if exists ${admin(to)} with (force)`;
    await admin`create database ${admin(to)} template ${admin(from)}`;
  };

  const made: Report[] = [];
  let mode: "on" | "off" = "on";
  const round = async () => (mode === "off" ? null : opened.reconcile({}, { identity }));
  const deployment = {
    ...opened,
    made,
    round,
    async produce(count: number): Promise<void> {
      while (count-- > 0) made.push(await opened.succeeded());
    },
    async backUp(): Promise<{ readonly dump: string; readonly copy: string }> {
      const dump = `${name}_dump${dumps.length}`;
      const copy = join(opened.filesDirectory, `../backup-${copies.length}`);
      await copyDatabase(name, dump);
      await cp(opened.filesDirectory, copy, { recursive: true, preserveTimestamps: true });
      dumps.push(dump);
      copies.push(copy);
      return { dump, copy };
    },
    restoreDatabase: async (dump: string) => copyDatabase(dump, name),
    async restoreStore(copy: string | null): Promise<void> {
      await rm(opened.filesDirectory, { recursive: true });
      if (copy !== null) await cp(copy, opened.filesDirectory, { recursive: true, preserveTimestamps: true });
    },
    /** Follows the steps of the page and returns the outcome of the dry run. `restore` is the operator's action in the second step. */
    async follow(restore: () => Promise<void>, force = false) {
      let belongs = false;
      let adopted = "";
      const whilePaused: unknown[] = [];
      let plan: Awaited<ReturnType<typeof opened.plan>> | undefined;
      const actions: Record<string, () => Promise<void>> = {
        "RECONCILER=off": async () => void (mode = "off"),
        pg_restore: restore,
        "store-marker show": async () => {
          const { database, store: marker } = await compareStoreIds({ store, record });
          belongs = database !== null && database.id === marker;
        },
        "store-marker adopt": async () => {
          adopted = belongs ? "needless" : (await adoptStore({ store, record, newId }, { force })).kind;
        },
        "reconcile --undo": async () => void (await opened.index.undo()),
        "reconcile --dry-run": async () => void (plan = await opened.plan()),
        "RECONCILER=on": async () => void (mode = "on"),
      };
      expect(steps).toEqual(Object.keys(actions));
      for (const step of steps) {
        await actions[step]!();
        if (step !== steps.at(-1)) whilePaused.push(await round());
      }
      expect(adopted).toBe(force ? "adopted" : "needless");
      expect(whilePaused).toEqual([null, null, null, null, null, null]);
      return plan!.outcome;
    },
    async days(count: number) {
      let outcome = await round();
      for (let day = 0; day < count; day++) {
        await opened.pass("1 day");
        outcome = await round();
      }
      return outcome!;
    },
    async downloadable(): Promise<number> {
      let count = 0;
      for (const { id } of made) {
        const report = await opened.reports.find(id);
        const key = report?.file?.storageKey;
        if (key !== undefined && (await opened.files.stat(key)) !== null) count++;
      }
      return count;
    },
    async [Symbol.asyncDispose]() {
      for (const dump of dumps) await admin`drop database if exists ${admin(dump)} with (force)`;
      await admin.end();
      await opened[Symbol.asyncDispose]();
    },
  };
  await deployment.produce(6);
  return deployment;
}

/** Both are longer than TRASH_DAYS, after which files are removed and records expire. */
const [someDays, manyDays] = isFullTestRun ? [10, 30] : [8, 9];

describe("after the steps of restore.md", () => {
  test("after an older database is restored, the store loses no newer file", async () => {
    await using opened = await openDeployment();
    const old = await opened.backUp();
    await opened.produce(5);
    const latest = await opened.backUp();
    const stored = await opened.stored();
    expect(await opened.follow(async () => opened.restoreDatabase(old.dump))).toMatchObject({ unknown: 5, missing: 0 });
    expect(await opened.days(manyDays)).toMatchObject({ unknown: 5, scheduled: 0, removed: 0, expired: 0 });
    expect(await opened.stored()).toEqual(stored);
    expect(await opened.downloadable()).toBe(6);
    expect(await opened.follow(async () => opened.restoreDatabase(latest.dump))).toMatchObject({
      unknown: 0,
      missing: 0,
    });
    expect(await opened.days(someDays)).toMatchObject({ unnamed: 0, removed: 0, expired: 0 });
    expect(await opened.downloadable()).toBe(11);
  });

  test("removals that a restored database had scheduled wait for their time again", async () => {
    await using opened = await openDeployment();
    const leftover = await opened.orphan(opened.made[0]!.id);
    await opened.days(2);
    await opened.pass("4 days");
    const { dump } = await opened.backUp();
    expect(await opened.index.undo()).toBe(1);
    await opened.follow(async () => {
      await opened.restoreDatabase(dump);
      await opened.pass("30 days");
    });
    expect(await opened.days(6)).toMatchObject({ unnamed: 1, removed: 0 });
    expect(await opened.stored()).toContain(leftover);
  });

  test("after an older store is restored, no record expires while files may come back", async () => {
    await using opened = await openDeployment();
    const old = await opened.backUp();
    await opened.produce(5);
    const latest = await opened.backUp();
    expect(await opened.follow(async () => opened.restoreStore(old.copy))).toMatchObject({ missing: 5, unnamed: 0 });
    expect(await opened.days(6)).toMatchObject({ missing: 5, expired: 0 });
    expect(await opened.downloadable()).toBe(6);
    expect(await opened.follow(async () => opened.restoreStore(latest.copy))).toMatchObject({ missing: 0 });
    expect(await opened.days(someDays)).toMatchObject({ missing: 0, expired: 0, removed: 0 });
    expect(await opened.downloadable()).toBe(11);
  });

  // In every run, the tests before restore either the database or the store.
  test.runIf(isFullTestRun)("database and store from backups of different days lose nothing", async () => {
    await using opened = await openDeployment();
    const old = await opened.backUp();
    await opened.produce(5);
    const latest = await opened.backUp();
    const outcome = await opened.follow(async () => {
      await opened.restoreDatabase(old.dump);
      await opened.restoreStore(latest.copy);
    });
    expect(outcome).toMatchObject({ files: 11, unknown: 5, missing: 0 });
    await opened.days(someDays);
    expect(await opened.stored()).toHaveLength(11);
    expect(await opened.downloadable()).toBe(6);
  });

  test("an empty store that was adopted with --force makes no record EXPIRED", async () => {
    await using opened = await openDeployment();
    expect(await opened.follow(async () => opened.restoreStore(null), true)).toMatchObject({
      files: 0,
      missing: 6,
      refused: 6,
    });
    expect(await opened.days(manyDays)).toMatchObject({ refused: 6, expired: 0 });
    expect((await opened.find(opened.made[0]!.id)).status).toBe("SUCCEEDED");
  });
});
