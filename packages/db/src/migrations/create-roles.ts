import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { mapStoreError } from "../database/store-error.ts";

/** What the roles may do. Beside src and beside dist alike. */
export const rolesFile = fileURLToPath(new URL("../../migrations/roles.sql", import.meta.url));

/** The roles that the processes' users are members of. */
export const databaseRoles = { api: "reports_api", worker: "reports_worker" } as const;

/**
 * Creates the two roles and gives them what they need of this database, and nothing else; as the owner of its tables, who may create
 * roles. Safe to run again, and needed after every migration. Gives the statements with which somebody of more rights (the database's
 * owner, a superuser) has to close what this one could not. Rejects with StoreUnavailableError when Postgres cannot be reached.
 */
export async function createRoles(options: { readonly databaseUrl: string }): Promise<readonly string[]> {
  const { url, ssl } = readPostgresAddress(options.databaseUrl);
  const client = postgres(url, {
    ssl,
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: "reports-roles", lock_timeout: 5_000 },
  });
  try {
    const statements = await readFile(rolesFile, "utf8");
    await client.begin(async (transaction) => transaction.unsafe(statements));
    const rows = await client<{ statement: string }[]>`
      select format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()) as statement
      where has_database_privilege(${databaseRoles.api}, current_database(), 'TEMPORARY')
      union all
      select format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', string_agg(oid::regprocedure::text, ', ' order by proname))
      from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and (proname like 'lo\\_%' or proname in ('loread', 'lowrite'))
        and has_function_privilege(${databaseRoles.api}, oid, 'EXECUTE')
      having count(*) > 0`;
    return rows.map(({ statement }) => statement);
  } catch (error) {
    throw mapStoreError(error);
  } finally {
    await client.end({ timeout: 5 });
  }
}
