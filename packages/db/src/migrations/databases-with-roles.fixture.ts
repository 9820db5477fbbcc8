import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { migrateDatabase } from "./migrate-database.ts";
import { createDatabaseRoles } from "./roles.ts";

const databases = createTestDatabases({
  migrate: async (databaseUrl) => {
    await migrateDatabase({ databaseUrl });
    await createDatabaseRoles({ databaseUrl });
  },
  template: "with_roles",
  otherOwners: false,
});

/** Clones a migrated database with the rights of both roles. */
export async function cloneDatabaseWithRoles(): Promise<
  AsyncDisposable & { readonly name: string; readonly url: string }
> {
  const clone = await databases.cloneDatabase();
  // Postgres does not copy rights on the database itself, so this change of createDatabaseRoles is repeated.
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await owner.unsafe(`revoke temporary on database "${clone.name}" from public`);
  await owner.end();
  return clone;
}
