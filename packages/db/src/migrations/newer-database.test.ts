import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { unlimitedStarts } from "@reports/core/report";
import {
  createTestCaseDivider,
  createTestDatabases,
  isFullTestRun,
  makeNewReport,
  otherOwnerPrincipals,
} from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { queueObjectsSql, queueObjectsVersion } from "../queue/queue-objects.ts";
import { assertQueueUsable } from "../queue/queue-object-versions.ts";
import { createReportStore } from "../reports/report-store.ts";
import { cloneDatabaseWithRoles } from "./databases-with-roles.fixture.ts";
import { createDatabaseRoles } from "./roles.ts";
import { NewerDatabaseError, readMigrationState } from "./database-version.ts";
import { migrateDatabase } from "./migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openDatabase(cloneTemplate = cloneDatabase) {
  const clone = await cloneTemplate();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  return {
    url: clone.url,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end();
      await clone[Symbol.asyncDispose]();
    },
  };
}

async function run(command: "migrate" | "create-roles", environment: Record<string, string>, ...args: string[]) {
  const path = fileURLToPath(new URL(`../commands/${command}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, QUEUE_SCHEMA: "", ...environment },
  });
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { stderr, exitCode: exitCode as number };
}

async function catalogOf(sql: Sql): Promise<unknown> {
  return [
    await sql`select oid::regprocedure::text, md5(prosrc), proacl::text from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    await sql`select oid::regclass::text, relacl::text, relrowsecurity from pg_class where relkind in ('r', 'v', 'i') and relnamespace::regnamespace::text !~ '^pg_' order by 1`,
    await sql`select schemaname, tablename, policyname from pg_policies order by 1, 2, 3`,
    await sql`select tgrelid::regclass::text, tgname from pg_trigger where not tgisinternal order by 1, 2`,
    await sql`select nspname, nspacl::text from pg_namespace order by 1`,
    await sql`select * from drizzle.__drizzle_migrations order by 1`,
  ];
}

const changes = {
  "a migration that this program does not know": (sql: Sql) =>
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 4102444800000)`,
  "a migration between ours that this program does not know": (sql: Sql) =>
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) select 'of another version', min(created_at) + 1 from drizzle.__drizzle_migrations`,
  "newer queue functions": (sql: Sql) =>
    sql.begin(async (transaction) =>
      transaction.unsafe(
        queueObjectsSql("report_queue").replaceAll(
          `Queue version ${queueObjectsVersion}`,
          `Queue version ${queueObjectsVersion + 1}`,
        ),
      ),
    ),
};

const selectCommands = createTestCaseDivider();
test.each(Object.entries(changes))(
  "migrate and create-roles refuse a database with %s and exit with code 3",
  async (_, makeNewer) => {
    await using database = await openDatabase(cloneDatabaseWithRoles);
    await makeNewer(database.sql);
    await database.sql`revoke select on proxies from reports_api`;
    await database.sql`drop index report_queue_quick.reports_due_index`;
    const before = await catalogOf(database.sql);
    for (const change of [migrateDatabase, createDatabaseRoles])
      await expect(change({ databaseUrl: database.url })).rejects.toThrow(NewerDatabaseError);
    for (const command of selectCommands(["migrate", "create-roles"] as const, 2)) {
      const { exitCode, stderr } = await run(command, { DATABASE_URL: database.url });
      expect(stderr).toContain("The database is newer than this program");
      expect(stderr).not.toContain("at the version of this program");
      expect(exitCode).toBe(3);
    }
    expect(await catalogOf(database.sql)).toEqual(before);
    expect((await readMigrationState({ databaseUrl: database.url })).current).toBe(true);
  },
);

test("migrate of version 1 fails on a newer database and changes nothing", async () => {
  await using database = await openDatabase();
  const before = await catalogOf(database.sql);
  const objects = await readVersion1();
  const asVersion1 = database.sql.begin(async (transaction) => transaction.unsafe(objects));
  await expect(asVersion1).rejects.toThrow("cannot remove parameter defaults from existing function");
  const elsewhere = objects
    .replaceAll("report_queue.", "elsewhere.")
    .replace("SCHEMA IF NOT EXISTS report_queue", "SCHEMA elsewhere");
  await expect(database.sql.begin(async (transaction) => transaction.unsafe(elsewhere))).rejects.toThrow(
    "cannot remove parameter defaults from existing function",
  );
  expect(await catalogOf(database.sql)).toEqual(before);
});

test("database-roles of version 1 fails on a newer database and changes nothing", async () => {
  await using database = await openDatabase(cloneDatabaseWithRoles);
  const before = await catalogOf(database.sql);
  const asVersion1 = database.sql.begin(async (transaction) => {
    await transaction`revoke all on all tables in schema public from reports_api, reports_worker`;
    await transaction`create schema reports_guards_trial`;
  });
  await expect(asVersion1).rejects.toThrow('schema "reports_guards_trial" already exists');
  expect(await catalogOf(database.sql)).toEqual(before);
});

test("migrating a database of version 1 keeps the rights on its functions", async () => {
  await using database = await openDatabase(cloneDatabaseWithRoles);
  const rights = database.sql`select proname, proacl::text from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' order by 1`;
  const before = await rights;
  await putVersion1Back(database.sql);
  await migrateDatabase({ databaseUrl: database.url });
  await createDatabaseRoles({ databaseUrl: database.url });
  expect([...(await rights)]).toEqual([...before]);
  expect((await readMigrationState({ databaseUrl: database.url })).current).toBe(true);
});

test("a process is not ready while the queue's functions are older than it needs", async () => {
  await using opened = await openDatabase();
  const database = createDatabase({ url: opened.url, max: 1 });
  await expect(assertQueueUsable(database, "report_queue")).resolves.toBeUndefined();
  await putVersion1Back(opened.sql);
  const reason = `The queue's functions in the database have version 0, and this program needs ${queueObjectsVersion}`;
  await expect(assertQueueUsable(database, "report_queue")).rejects.toThrow(reason);
  expect((await readMigrationState({ databaseUrl: opened.url })).problem).toContain(reason);
  await migrateDatabase({ databaseUrl: opened.url });
  await opened.sql`drop function remove_report_jobs(uuid[])`;
  await expect(assertQueueUsable(database, "report_queue")).rejects.toThrow("have version 0");
  await database.close();
});

test("a change of the queue's SQL objects requires a new queueObjectsVersion", () => {
  // If you change the SQL objects of the queue (queue-objects.ts), increase queueObjectsVersion and replace the hash here.
  const hashes: Readonly<Record<number, string>> = {
    3: "97ce983c3ffccf480851a22659d6a47c749303e195fbff0a3d26bbffb2fb14a3",
  };
  expect(createHash("sha256").update(queueObjectsSql("report_queue")).digest("hex")).toBe(hashes[queueObjectsVersion]);
});

async function readVersion1(): Promise<string> {
  return readFile(fileURLToPath(new URL("../queue/queue-objects-version-1.fixture.sql", import.meta.url)), "utf8");
}

async function putVersion1Back(sql: Sql): Promise<void> {
  const objects = await readVersion1();
  await sql.begin(async (transaction) => {
    await transaction`drop function enqueue_reports(uuid[], double precision, double precision)`;
    await transaction.unsafe(objects);
  });
}

test("migrate and create-roles refuse another QUEUE_SCHEMA than the database's", async () => {
  await using database = await openDatabase(cloneDatabaseWithRoles);
  const before = await catalogOf(database.sql);
  const creating = createDatabaseRoles({ databaseUrl: database.url, queueSchema: "elsewhere" });
  await expect(creating).rejects.toThrow("The queue of this database is in schema report_queue");
  // Outside of CI, only the first test of this file runs create-roles as a program.
  const runs = (["migrate", ...(isFullTestRun ? ["create-roles" as const] : [])] as const).map(async (command) => {
    const { exitCode, stderr } = await run(command, { DATABASE_URL: database.url, QUEUE_SCHEMA: "elsewhere" });
    expect(stderr).toContain("The queue of this database is in schema report_queue");
    expect(stderr).toContain("Set QUEUE_SCHEMA=report_queue");
    expect(stderr.includes("migrate --move-queue")).toBe(command === "migrate");
    expect(exitCode).toBe(2);
  });
  await Promise.all(runs);
  expect(await catalogOf(database.sql)).toEqual(before);
});

test("migrate without QUEUE_SCHEMA refuses a database whose queue was moved", async () => {
  await using database = await openDatabase();
  const moved = await run("migrate", { DATABASE_URL: database.url, QUEUE_SCHEMA: "acme" }, "--move-queue");
  expect(moved).toMatchObject({ exitCode: 0 });
  const [forgotten, roles] = await Promise.all([
    run("migrate", { DATABASE_URL: database.url }),
    isFullTestRun
      ? run("create-roles", { DATABASE_URL: database.url })
      : createDatabaseRoles({ databaseUrl: database.url }),
  ]);
  expect(forgotten).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Set QUEUE_SCHEMA=acme") });
  expect(roles).toMatchObject(isFullTestRun ? { exitCode: 0 } : []);
  expect(await readMigrationState({ databaseUrl: database.url, queueSchema: "acme" })).toMatchObject({ current: true });
});

test("a process whose QUEUE_SCHEMA is not the database's cannot start a report", async () => {
  await using opened = await openDatabase();
  const database = createDatabase({ url: opened.url, max: 1, queueSchema: "report_queue" });
  const store = createReportStore(database);
  await store.createQueued(makeNewReport(), unlimitedStarts);
  await migrateDatabase({ databaseUrl: opened.url, queueSchema: "acme", moveQueue: true });
  const refused = await store.createQueued(makeNewReport(), unlimitedStarts).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    name: "StoreUnavailableError",
    message: "The database's queue is in acme, but QUEUE_SCHEMA of this process is report_queue.",
  });
  expect(
    await opened.sql`select count(*)::int as reports from reports where requested_by <> all (${[...otherOwnerPrincipals]})`,
  ).toEqual([{ reports: 1 }]);
  const reason = "The database's queue is in acme, but QUEUE_SCHEMA of this process is report_queue";
  await expect(assertQueueUsable(database, "report_queue")).rejects.toThrow(reason);
  expect((await readMigrationState({ databaseUrl: opened.url })).problem).toContain(reason);
  await database.close();
});
