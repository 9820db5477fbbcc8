import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";
import { mapStoreError } from "../database/store-error.ts";
import { refuseToChange } from "./database-version.ts";
import { lockTimeoutMs, retryLocks, type LockWait } from "./retry-locks.ts";
import { findMissingGuards, splitScript } from "./table-guards.ts";

/** What the roles may do. Beside src and beside dist alike. */
export const rolesFile = fileURLToPath(new URL("../../migrations/roles.sql", import.meta.url));

/** The roles that the processes' users are members of. */
export const databaseRoles = { api: "reports_api", worker: "reports_worker" } as const;

/**
 * Creates the two roles and gives them what they need of this database, and nothing else; as the owner of its tables, who may create
 * roles. Safe to run again beside a running service, and needed after every migration: a table is locked only where its guards are not as
 * the script says, in short attempts that wait for a table only while they hold no other, and all is done or nothing. Gives the statements
 * with which somebody of more rights (the database's owner, a superuser) has to close what this one could not. Rejects with
 * StoreUnavailableError when Postgres cannot be reached or a table that has to change stays in use. Changes nothing and rejects with
 * NewerDatabaseError if the database is newer than this program, and with OtherQueueSchemaError if its queue is in another schema.
 */
export async function createRoles(
  options: {
    readonly databaseUrl: string;
    /** If given, the schema in which the database's queue has to be. */
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
    await refuseToChange(client, options.queueSchema ?? null);
    const { rights, guards } = splitScript(await readFile(rolesFile, "utf8"));
    let inUse: string | undefined;
    await retryLocks({ ...options, subject: () => inUse ?? "the tables to change" }, async () =>
      client.begin(async (transaction) => {
        const refused = inUse;
        inUse = undefined;
        await transaction.unsafe(rights);
        const missing = await findMissingGuards(transaction, guards);
        const tables = missing.map(({ table }) => table).toSorted();
        for (const [place, table] of startingWith(refused, tables).entries()) {
          inUse = table;
          // Only the first is waited for: whoever reads a table that is held would wait for those of another.
          await transaction.unsafe(`lock table ${table} in access exclusive mode${place === 0 ? "" : " nowait"}`);
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

/** The one that refused an attempt is waited for in the next one; the others keep their order. */
function startingWith(first: string | undefined, tables: readonly string[]): readonly string[] {
  return [...tables.filter((table) => table === first), ...tables.filter((table) => table !== first)];
}
