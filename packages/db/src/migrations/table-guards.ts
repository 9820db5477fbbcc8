import type { TransactionSql } from "postgres";

export interface TableGuards {
  readonly table: string;
  readonly statements: string;
  readonly names: readonly string[];
}

/** Schema in which guards are created for comparison and rolled back. queue-objects.ts creates a different one, reports_guards_trial. */
const trialSchema = "reports_guards_check";
const rowSecurity = "row-level security";

/** Splits roles.sql into the rights and each table's guards. Throws RangeError if a section changes another table or can't be run twice. */
export function splitRolesScript(script: string): { readonly rights: string; readonly guards: readonly TableGuards[] } {
  const [rights, ...sections] = script.split(/^-- On (?=\w+:\n)/m) as [string, ...string[]];
  return { rights, guards: sections.map(readSection) };
}

function readSection(section: string): TableGuards {
  const table = /^\w+/.exec(section)![0];
  const statements = section.slice(section.indexOf("\n"));
  const lines = statements.split("\n");
  const about = lines.map((line) => /^(?:ALTER TABLE|(?:DROP|CREATE) .*? ON) (\w+)/.exec(line));
  const other = about.find((found) => found !== null && found[1] !== table);
  if (other) throw new RangeError(`roles.sql has among the guards of ${table}: ${other[0]}`);
  const namesAfter = (words: RegExp): string[] => lines.flatMap((line) => words.exec(line)?.[1] ?? []);
  const dropped = namesAfter(/^DROP (?:POLICY|TRIGGER) IF EXISTS (\w+)/);
  const kept = namesAfter(/^CREATE (?:POLICY|(?:CONSTRAINT )?TRIGGER) (\w+)/).find((name) => !dropped.includes(name));
  if (kept !== undefined) throw new RangeError(`roles.sql has to remove ${kept} of ${table} before it creates it.`);
  const isByRow = statements.includes("ENABLE ROW LEVEL SECURITY");
  return { table, statements, names: isByRow ? [rowSecurity, ...dropped] : dropped };
}

/**
 * Returns the guards that the real tables lack or have in another form. To lock no real table, creates all guards on empty copies of the tables,
 * compares the catalog's descriptions of both, and rolls back.
 */
export async function findMissingGuards(
  transaction: TransactionSql,
  guards: readonly TableGuards[],
): Promise<readonly TableGuards[]> {
  await transaction`savepoint trialSchema`;
  await transaction.unsafe(`create schema ${trialSchema}`);
  for (const { table } of guards)
    await transaction.unsafe(`create table ${trialSchema}.${table} (like public.${table})`);
  await transaction.unsafe(`set local search_path = ${trialSchema}, public`);
  for (const { statements } of guards) await transaction.unsafe(statements);
  // With only `public` in the path, Postgres qualifies names in the same way for the copies and the real tables.
  await transaction`set local search_path = public`;
  const rows = await transaction<{ schema: string; table: string; name: string; definition: string }[]>`
    select schemaname as schema, tablename as "table", policyname as name, (to_jsonb(policy) - 'schemaname')::text as definition
    from pg_policies as policy where schemaname in ('public', ${trialSchema})
    union all
    select nspname, relname, tgname, tgenabled::text || regexp_replace(pg_get_triggerdef(trigger.oid), ' ON [^ ]+[.]', ' ON ')
    from pg_trigger as trigger join pg_class as class on class.oid = tgrelid join pg_namespace as namespace on namespace.oid = relnamespace
    where nspname in ('public', ${trialSchema}) and not tgisinternal
    union all
    select nspname, relname, ${rowSecurity}::text, relrowsecurity::text
    from pg_class as class join pg_namespace as namespace on namespace.oid = relnamespace
    where nspname in ('public', ${trialSchema}) and relkind in ('r', 'p')`;
  await transaction`rollback to savepoint trialSchema`;
  const stateOf = (schema: string, { table, names }: TableGuards): string =>
    rows
      .filter((row) => row.schema === schema && row.table === table && names.includes(row.name))
      .map(({ name, definition }) => `${name}: ${definition}`)
      .toSorted()
      .join("\n");
  return guards.filter((of) => stateOf("public", of) !== stateOf(trialSchema, of));
}
