import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { withSingleConnection } from "../database/single-connection.ts";
import { assertDatabaseSuitable } from "./database-version.ts";
import { tableLockTimeoutMs, retryOnLockTimeout, type LockRetryOptions } from "./retry-on-lock-timeout.ts";
import { findMissingGuards, splitRolesScript } from "./table-guards.ts";

export const rolesScriptPath = fileURLToPath(new URL("../../migrations/roles.sql", import.meta.url));

export const databaseRoles = { api: "reports_api", worker: "reports_worker" } as const;

/**
 * Creates both roles and grants exactly the rights that the API and the worker need. Run it after every migration; it is safe to repeat while the
 * service runs. The session's user must own the tables and may create roles. Locks only tables whose guards (policies and triggers) differ from
 * the script, and never waits for one lock while it holds another. Makes either all changes or none. Returns the statements that this user may not
 * run, for the database's owner or a superuser. Rejects with StoreUnavailableError if Postgres is unreachable or a table stays in use. Rejects
 * with NewerDatabaseError or QueueSchemaMismatchError, and then has changed nothing.
 */
export async function createDatabaseRoles(
  options: {
    readonly databaseUrl: string;
    readonly queueSchema?: string | undefined;
  } & Omit<LockRetryOptions, "signal">,
): Promise<readonly string[]> {
  const { databaseUrl } = options;
  const settings = { lock_timeout: String(tableLockTimeoutMs) };
  return withSingleConnection({ databaseUrl, applicationName: "reports-roles", settings }, async (client) => {
    await assertDatabaseSuitable(client, options.queueSchema ?? null);
    const { rights, guards } = splitRolesScript(await readFile(rolesScriptPath, "utf8"));
    let inUse: string | undefined;
    await retryOnLockTimeout({ ...options, subject: () => inUse ?? "the tables to change" }, async () =>
      client.begin(async (transaction) => {
        const refused = inUse;
        inUse = undefined;
        await transaction.unsafe(rights);
        const missing = await findMissingGuards(transaction, guards);
        const tables = missing.map(({ table }) => table).toSorted();
        for (const [index, table] of moveToFront(refused, tables).entries()) {
          inUse = table;
          // Only the first lock is awaited, while no table is locked. With other tables locked, a wait would also block their readers.
          await transaction.unsafe(`lock table ${table} in access exclusive mode${index === 0 ? "" : " nowait"}`);
        }
        for (const { statements } of missing) await transaction.unsafe(statements);
      }),
    );
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
  });
}

function moveToFront(first: string | undefined, tables: readonly string[]): readonly string[] {
  return [...tables.filter((table) => table === first), ...tables.filter((table) => table !== first)];
}
