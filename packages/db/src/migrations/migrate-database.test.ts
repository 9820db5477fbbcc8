import { readFile } from "node:fs/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { createTestDatabases, isFullTestRun } from "@reports/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { expect, test } from "vitest";
import { readMigrationState, readMigrationJournal } from "./database-version.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { waitForDatabase } from "./wait-for-database.ts";

const atOnce = { timeoutMs: 0, signal: new AbortController().signal, onWait: () => undefined };
const empty = createTestDatabases({ migrate: async () => {}, template: "empty" });
const { cloneDatabase } = empty;
const migrated = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

test("concurrent and repeated migrations apply each migration once", async () => {
  await using database = await cloneDatabase();
  const databaseUrl = database.url;
  expect(await readMigrationState({ databaseUrl })).toMatchObject({ current: false, actual: null });
  await Promise.all([1, 2, 3].map(() => migrateDatabase({ databaseUrl })));
  await migrateDatabase({ databaseUrl });
  const state = await readMigrationState({ databaseUrl });
  expect(state).toEqual({
    current: true,
    problem: null,
    expected: state.expected,
    actual: state.expected,
    queueSchema: "report_queue",
  });
  expect(await waitForDatabase({ databaseUrl, ...atOnce })).toBe(null);
  const client = postgres(databaseUrl, { max: 1 });
  const [row] = await client`select count(*)::int as applied from drizzle.__drizzle_migrations`;
  const readLocks = async () =>
    client`select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  // Postgres releases the locks when it ends the migrations' sessions, after the client has closed them.
  await expect.poll(async () => (await readLocks()).length).toBe(0);
  await client.end();
  expect(row!["applied"]).toBe((await readMigrationJournal()).length);
});

test("times in the journal of migrations grow, because drizzle skips an older one", async () => {
  const times = (await readMigrationJournal()).map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
});

test("the published package includes the files of all migrations", async () => {
  const { files } = JSON.parse(
    await readFile(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"),
  ) as {
    files: string[];
  };
  expect(files).toContain("migrations");
  for (const { tag } of await readMigrationJournal()) {
    expect(await readFile(fileURLToPath(new URL(`../../migrations/${tag}.sql`, import.meta.url)), "utf8")).not.toBe("");
  }
});

test("importing @reports/db does not load graphile-worker", async () => {
  const source = `import { registerHooks } from "node:module";
      let count = 0;
      const load = (url, context, next) => {
        if (url.includes("/graphile-worker/")) count++;
        return next(url, context);
      };
      registerHooks({ load });
      await import("@reports/db");
      console.log(count);
      await import("graphile-worker");
      console.log(count);`;
  const args = ["--conditions=@reports/source", "--input-type=module", "--eval", source];
  const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL("../..", import.meta.url)) });
  const [before, after] = (await text(child.stdout)).split("\n");
  expect(before).toBe("0");
  expect(Number(after)).toBeGreaterThan(0);
});

test("waitForDatabase reports how to update an old schema, or why it can't connect", async () => {
  await using database = await cloneDatabase();
  await expect(waitForDatabase({ databaseUrl: database.url, ...atOnce })).rejects.toThrow("pnpm operate migrate");
  const nowhere = { databaseUrl: "postgres://nobody@127.0.0.1:1/none" };
  await expect(migrateDatabase(nowhere)).rejects.toThrow(StoreUnavailableError);
  await expect(readMigrationState(nowhere)).rejects.toThrow(StoreUnavailableError);
  const waited = waitForDatabase({ ...nowhere, ...atOnce });
  await expect(waited).rejects.toThrow(StoreUnavailableError);
  await expect(waited).rejects.toThrow(/^connect ECONNREFUSED 127\.0\.0\.1:1$/);
});

test("waitForDatabase immediately returns problems that a retry can't solve", async () => {
  await using database = await cloneDatabase();
  // If waitForDatabase waited, it would reject after `timeoutMs`, and the test would fail.
  const long = { ...atOnce, timeoutMs: 60_000 };
  const changed = (change: Partial<URL>): string => Object.assign(new URL(database.url), change).href;
  for (const [change, expected] of [
    [{ password: "" }, /^is refused: .*client password must be/],
    [{ pathname: "/missing" }, /^is refused: database "missing" does not exist$/],
    [{ search: "sslmode=require" }, /^is refused: The server does not support SSL connections$/],
  ] as const)
    expect(await waitForDatabase({ databaseUrl: changed(change), ...long })).toMatch(expected);
});

test("a table locked by another session stops the migration, which changes nothing", async () => {
  await using database = await cloneDatabase();
  const client = postgres(database.url, { max: 1 });
  const held = await client.reserve();
  await held`create table proxies ()`;
  await held`begin`;
  await held`create schema drizzle`;
  await expect(migrateDatabase({ databaseUrl: database.url, waitMs: 1 })).rejects.toThrow(StoreUnavailableError);
  await held`rollback`;
  held.release();
  await client.end();
  expect(await readMigrationState({ databaseUrl: database.url })).toMatchObject({ current: false, actual: null });
});

test("a migration waits for a table in use without blocking its readers", async () => {
  await using database = await (isFullTestRun ? empty : migrated).cloneDatabase();
  const client = postgres(database.url, { max: 1 });
  async function migrateDuring(work: string, meanwhile: () => Promise<unknown>): Promise<void> {
    const held = await client.reserve();
    await held`begin`;
    await held.unsafe(work);
    const { promise: waiting, resolve: onWaiting } = Promise.withResolvers<void>();
    const onProgress = (message: string): void => void (message.startsWith("Other sessions") && onWaiting());
    const run = migrateDatabase({ databaseUrl: database.url, onProgress });
    await Promise.race([waiting, run]);
    await meanwhile();
    await held`rollback`;
    held.release();
    await run;
  }
  // Outside of CI, the test above shows that a migration waits for its first lock, too.
  if (isFullTestRun) await migrateDuring("create schema drizzle", async () => undefined);
  expect(await readMigrationState({ databaseUrl: database.url })).toMatchObject({ current: true });
  await migrateDuring("select from report_queue.jobs", async () => {
    const reader = postgres(database.url, { max: 1 });
    await reader`select from report_queue.jobs`;
    await reader.end();
  });
  await client.end();
});

test("a lock on a table of the queue stops the migration within its time limit", async () => {
  await using database = await migrated.cloneDatabase();
  const client = postgres(database.url, { max: 1 });
  const held = await client.reserve();
  await held`begin`;
  await held`lock table report_queue_quick.migrations in access exclusive mode`;
  await expect(migrateDatabase({ databaseUrl: database.url, waitMs: 1 })).rejects.toThrow(StoreUnavailableError);
  await held`rollback`;
  held.release();
  await client.end();
});

async function run(environment: Record<string, string>, ...args: string[]) {
  const command = fileURLToPath(new URL("../commands/migrate.ts", import.meta.url));
  const child = spawn(process.execPath, [command, ...args], {
    env: { ...process.env, DATABASE_URL: "", ...environment },
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, exitCode: exitCode as number };
}

test("the command migrate migrates, and fails without a stack trace", async () => {
  // Outside of CI, only a function is missing, because all migrations take most of the time.
  await using database = await (isFullTestRun ? empty : migrated).cloneDatabase();
  if (!isFullTestRun) {
    const client = postgres(database.url, { max: 1 });
    await client`drop function remove_report_jobs(uuid[])`;
    await client.end();
  }
  expect(await readMigrationState({ databaseUrl: database.url })).toMatchObject({ current: false });
  const [done, away] = await Promise.all([
    run({ DATABASE_URL: database.url }),
    run({ DATABASE_URL: "postgres://nobody:hunter2@127.0.0.1:1/none" }),
  ]);
  expect(done).toMatchObject({ exitCode: 0 });
  expect(await readMigrationState({ databaseUrl: database.url })).toMatchObject({ current: true });
  expect(away.exitCode).toBe(1);
  expect(away.stderr).not.toMatch(/hunter2|\n\s+at /);
});

const usages = [
  [[], { exitCode: 2, stderr: expect.stringContaining("DATABASE_URL is not set") as string }],
  [["--help"], { exitCode: 0, stdout: expect.stringContaining("Usage: migrate") as string }],
  [["--no-such"], { exitCode: 2 }],
] as const;
// In every run, commands.test.ts tests the same arguments of other commands.
test.runIf(isFullTestRun).each(usages)(
  "without a database, the command migrate with the arguments %j prints help or the problem",
  async (args, expected) => {
    expect(await run({}, ...args)).toMatchObject(expected);
  },
);
