import {
  createTestDatabases,
  freezePostgres,
  startPostgres,
  throwAwayPostgresSettings,
  waitFor,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabaseRoles, databaseRoles } from "../migrations/roles.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDatabase } from "./database.ts";
import { createWriteCheck } from "./write-probe.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const isReady = async (probe: () => Promise<void>): Promise<boolean> =>
  probe().then(
    () => true,
    () => false,
  );

test("the write probe sends one write to a slow Postgres and fails after maxWriteMs", async () => {
  const server = await startPostgres({ settings: throwAwayPostgresSettings });
  const database = createDatabase({ url: server.url, max: 4 });
  let opened = 0;
  const counted = { query: (async (work) => (opened++, database.query(work))) as typeof database.query };
  const patient = createWriteCheck(counted, { everyMs: 0, maxWriteMs: 600_000 });
  const impatient = createWriteCheck(database, { everyMs: 0, retryMs: 0, maxWriteMs: 300 });
  try {
    await waitFor(async () => (await isReady(patient)) && (await isReady(impatient)), { what: "a write" });
    await waitFor(() => database.load().open === 0, { what: "writes to end" });
    const thaw = freezePostgres(server);
    try {
      const before = opened;
      expect(await Promise.all(Array.from({ length: 20 }, async () => isReady(patient)))).not.toContain(false);
      expect(opened).toBe(before + 1);
      await waitFor(async () => !(await isReady(impatient)), { what: "the impatient probe to fail" });
    } finally {
      thaw();
    }
    await waitFor(async () => (await isReady(patient)) && (await isReady(impatient)), { what: "a write again" });
  } finally {
    await database.close();
    await server.stop("immediate", { keepData: false });
  }
}, 120_000);

test("the write probe works for both database roles even if temp_file_limit is 0", async () => {
  await using clone = await cloneDatabase();
  await createDatabaseRoles({ databaseUrl: clone.url });
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  for (const role of Object.values(databaseRoles)) {
    const name = `${role}_${clone.name}`;
    await owner.unsafe(`create role ${name} login password 'secret' in role ${role}`);
    await owner.unsafe(`alter role ${name} set temp_file_limit to '0'`);
    const url = Object.assign(new URL(clone.url), { username: name, password: "secret" }).href;
    const database = createDatabase({ url, max: 1 });
    expect(await isReady(createWriteCheck(database))).toBe(true);
    expect(await isReady(database.check)).toBe(true);
    await database.close();
    await owner.unsafe(`drop role ${name}`);
  }
  await owner.end();
});
