import { createTestDatabases } from "@reports/testing";
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

/**
 * Clones a migrated database with the rights of both roles. Postgres does not copy rights on the database itself. So the clone lacks one change of
 * createDatabaseRoles: it lets everybody create temporary tables.
 */
export async function cloneDatabaseWithRoles(): Promise<
  AsyncDisposable & { readonly name: string; readonly url: string }
> {
  return databases.cloneDatabase();
}
