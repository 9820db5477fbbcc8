import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";
import { mapStoreError } from "../database/store-error.ts";
import { refuseNewerDatabase } from "./database-version.ts";
import { lockTimeoutMs, retryLocks, type LockWait } from "./retry-locks.ts";
import { findMissingGuards, splitScript } from "./table-guards.ts";

/** The script of the roles' rights. The path is right from src and from dist. */
export const rolesFile = fileURLToPath(new URL("../../migrations/roles.sql", import.meta.url));

/** The processes' users are members of these roles. */
export const databaseRoles = { api: "reports_api", worker: "reports_worker" } as const;

/**
 * Creates the two roles and grants them exactly the rights that they need in this database. The user must own its tables and may create
 * roles. Needed after every migration; safe to repeat while the service runs. Only tables whose guards differ from the script are locked,
 * in short attempts that wait for a table only while they hold no other. Either all changes are made or none. Returns the statements that a
 * user with more rights (the database's owner, a superuser) has to run. Rejects with StoreUnavailableError if Postgres cannot be reached or
 * a table stays in use. Changes nothing and rejects with NewerDatabaseError if the database is newer than this program, and with
 * OtherQueueSchemaError if its queue is in another schema.
 */
export async function createRoles(
  options: {
    readonly databaseUrl: string;
    /** The schema that must hold the queue; any if not given. */
    readonly queueSchema?: string | undefined;
  } & Omit<LockWait, "signal">,
): Promise<readonly string[]> {
  const { url, ssl } = readPostgresAddress(options.databaseUrl);
  const client = postgres(url, {
    ssl,
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: "reports-roles" },
    session: sessionStatement({ settings: { lock_timeout: String(lockTimeoutMs) } }),
  });
  try {
    await refuseNewerDatabase(client, options.queueSchema ?? null);
    const { rights, guards } = splitScript(await readFile(rolesFile, "utf8"));
    let inUse: string | undefined;
    await retryLocks({ ...options, subject: () => inUse ?? "the tables to change" }, async () =>
      client.begin(async (transaction) => {
        const refused = inUse;
        inUse = undefined;
        await transaction.unsafe(rights);
        const missing = await findMissingGuards(transaction, guards);
        const tables = missing.map(({ table }) => table).toSorted();
        for (const [index, table] of startingWith(refused, tables).entries()) {
          inUse = table;
          // Waits only for the first table: readers of tables that are already locked would have to wait, too.
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
  } catch (error) {
    throw mapStoreError(error);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** The table that refused an attempt comes first in the next one; the others keep their order. */
function startingWith(first: string | undefined, tables: readonly string[]): readonly string[] {
  return [...tables.filter((table) => table === first), ...tables.filter((table) => table !== first)];
}
