import { createTestDatabases, waitFor } from "@reports/testing";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { insertListTestRows } from "../reports/insert-list-test-rows.fixture.ts";
import { migrationsFolder } from "./database-version.ts";
import { migrateDatabase } from "./migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => {}, template: "empty" });
const index = "reports_type_status_finished_at_index";

async function openOlderDatabase() {
  const clone = await cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "reports-migrations-"));
  await cp(migrationsFolder, folder, { recursive: true });
  const journal = join(folder, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(journal, "utf8")) as { entries: { idx: number }[] };
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.filter(({ idx }) => idx <= 18) }));
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const other = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await migrate(drizzle(owner), { migrationsFolder: folder });
  await rm(folder, { recursive: true });
  await insertListTestRows(owner);
  return {
    url: clone.url,
    owner,
    other,
    async [Symbol.asyncDispose]() {
      await Promise.all([owner.end(), other.end()]);
      await clone[Symbol.asyncDispose]();
    },
  };
}

function openSession(url: string) {
  const client = postgres(url, { max: 1 });
  return { client, [Symbol.asyncDispose]: async () => client.end() };
}

async function isValid(owner: postgres.Sql): Promise<boolean | undefined> {
  const [row] = await owner<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${index})`;
  return row?.valid;
}

test("migrations build indexes while other sessions write to the table", async () => {
  await using database = await openOlderDatabase();
  const writer = await database.other.reserve();
  await writer`begin`;
  await writer`update reports set title = 'before'`;
  const runs = [1, 2].map(async () => migrateDatabase({ databaseUrl: database.url }));
  await waitFor(
    async () => (await database.owner`select from pg_stat_progress_create_index where phase like 'waiting%'`).length,
    { what: "an index that waits for the writer" },
  );
  await database.owner`set lock_timeout = 100`;
  await database.owner`update reports set percent = 1 where false`;
  await writer`commit`;
  writer.release();
  await Promise.all(runs);
  expect(await isValid(database.owner)).toBe(true);
});

test("a migration rebuilds an index that an interrupted migration left invalid", async () => {
  await using database = await openOlderDatabase();
  const writer = await database.other.reserve();
  await writer`begin`;
  await writer`update reports set title = 'before'`;
  await expect(migrateDatabase({ databaseUrl: database.url, waitMs: 1 })).rejects.toThrow(
    "Other sessions, such as a long report or a dump, kept the tables to change in use",
  );
  await writer`rollback`;
  writer.release();
  await database.owner.unsafe(`create index ${index} on reports (id)`);
  await database.owner`update pg_index set indisvalid = false where indexrelid = ${index}::regclass`;
  await migrateDatabase({ databaseUrl: database.url });
  const [row] = await database.owner<
    { definition: string }[]
  >`select pg_get_indexdef(${index}::regclass) as definition`;
  expect([await isValid(database.owner), row!.definition]).toEqual([true, expect.stringContaining("finished_at")]);
});

test("a migration ends while sessions keep locking and then writing reports", async () => {
  await using database = await openOlderDatabase();
  const ids = await database.owner<
    { id: string }[]
  >`select id from reports where deleted_at is null order by id limit 2`;
  const end = new AbortController();
  const isAwaited = async () =>
    end.signal.aborted ||
    (await database.owner`select from pg_locks where relation = 'reports'::regclass and not granted`).length > 0;
  let locks = 0;
  const lockAndWrite = async (id: string): Promise<void> => {
    await using session = openSession(database.url);
    while (!end.signal.aborted) {
      await session.client.begin(async (transaction) => {
        // This statement uses the simple protocol. In the extended protocol, an open portal would keep its snapshot. The build of the index waits
        // until older snapshots have ended.
        await transaction.unsafe(`select from reports where id = '${id}' for no key update`);
        locks += 1;
        await waitFor(isAwaited, { what: "a migration that waits for the lock of a report" });
        await transaction`update reports set title = 'after' where id = ${id}`;
      });
    }
  };
  const writers = ids.map(async ({ id }) => lockAndWrite(id));
  await waitFor(() => locks >= ids.length, { what: "the first locks" });
  const migration = migrateDatabase({ databaseUrl: database.url, waitMs: 60_000 }).finally(() => end.abort());
  const ends = await Promise.allSettled([migration, ...writers]);
  expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(await isValid(database.owner)).toBe(true);
});

test("migrations create an index only if it is missing, because CREATE INDEX locks", async () => {
  const files = (await readdir(migrationsFolder)).filter((name) => /^\d{4}_.*\.sql$/.test(name) && name >= "0019");
  const texts = await Promise.all(files.map(async (name) => readFile(join(migrationsFolder, name), "utf8")));
  const statements = texts.flatMap((text) => text.split("--> statement-breakpoint"));
  const building = statements.filter((statement) => /^CREATE (?:UNIQUE )?INDEX/m.test(statement));
  expect(building.length).toBeGreaterThanOrEqual(5);
  expect(
    building.filter((statement) => !/to_regclass\('public\.(\w+)'\) IS NULL THEN\s+CREATE [A-Z ]+"\1"/.test(statement)),
  ).toEqual([]);
});
