import { createTestDatabases } from "@reports/testing";
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
