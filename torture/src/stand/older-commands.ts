import { join } from "node:path";
import { checkoutFolder, runProcessToEnd } from "@reports/testing";
import type { Sql } from "postgres";

const laterMigration = "of a later version";

/**
 * Runs `migrate` and `database-roles` of an older version on a newer database, as a rolled-back deployment would. Both must refuse and change
 * nothing. Returns the problems. Without a checkout of an older version, runs this version's commands on a database with an unknown migration.
 */
export async function findOlderCommandProblems(
  databaseUrl: string,
  sql: Sql,
  checkout: string | undefined,
): Promise<readonly string[]> {
  if (checkout === undefined)
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${laterMigration}, 4102444800000)`;
  const before = await readObjects(sql);
  const troubles: string[] = [];
  for (const command of ["migrate", "create-roles"]) {
    const path = join(checkout ?? checkoutFolder, `packages/db/src/commands/${command}.ts`);
    const { end: code } = await runProcessToEnd({
      name: command,
      args: ["--conditions=@reports/source", path],
      environment: { DATABASE_URL: databaseUrl },
    });
    // Code 3 means that the database is newer. Versions that do not check for that fail with 1.
    if (code !== 3 && (checkout === undefined || code !== 1)) troubles.push(`the older ${command} exited with ${code}`);
    if ((await readObjects(sql)) !== before) troubles.push(`the older ${command} changed the database`);
  }
  await sql`delete from drizzle.__drizzle_migrations where hash = ${laterMigration}`;
  return troubles;
}

async function readObjects(sql: Sql): Promise<string> {
  return JSON.stringify([
    await sql`select oid::regprocedure::text, md5(prosrc), proacl::text from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    await sql`select schemaname, tablename, policyname, qual, with_check from pg_policies order by 1, 2, 3`,
    await sql`select tgrelid::regclass::text, tgname from pg_trigger where not tgisinternal order by 1, 2`,
    await sql`select oid::regclass::text, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
  ]);
}
