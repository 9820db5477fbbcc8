import { reportLanes } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { laneSchemaName } from "../queue/queue-schema.ts";
import { databaseRoles, rolesScriptPath } from "./roles.ts";

export interface RequiredGrant {
  readonly on: "schema" | "table" | "column" | "function";
  readonly schema: string;
  readonly name: string;
  readonly column: string;
  readonly privilege: string;
}

export function parseGrantsTo(role: string, script: string): readonly RequiredGrant[] {
  const [, ...grants] = `\n${script}`.split("\nGRANT ");
  return grants.flatMap((text) => {
    const [statement] = text.split(";", 1) as [string];
    const [beforeOn, afterOn, ...more] = statement.split(" ON ");
    const [named, roles, ...others] = (afterOn ?? "").split(" TO ");
    if (roles === undefined || more.length + others.length > 0)
      throw new RangeError(`A grant of roles.sql cannot be read: GRANT ${statement}`);
    if (!splitList(roles).includes(role)) return [];
    const kind = ["SCHEMA", "FUNCTION"].find((word) => named!.startsWith(`${word} `));
    const objects = kind === undefined ? named! : named!.slice(kind.length + 1);
    return splitList(objects).flatMap((object) =>
      splitList(beforeOn!).flatMap((privilege) => rightsOn(kind, object, privilege)),
    );
  });
}

export async function assertRoleRights(
  database: Pick<Database, "query">,
  of: { readonly role: keyof typeof databaseRoles; readonly queueSchema: string },
): Promise<void> {
  const missing = await database.query((queries) => findMissingRights(queries, of));
  if (missing.length === 0) return;
  throw new Error(
    `The user of DATABASE_URL lacks ${missing.join(", ")}. As the owner of the tables, run \`database-roles\` (in a checkout \`pnpm operate database-roles\`) after every migration: docs/reference/database-roles.md.`,
  );
}

export async function findMissingRights(
  queries: Queries,
  { role, queueSchema }: { readonly role: keyof typeof databaseRoles; readonly queueSchema: string },
): Promise<readonly string[]> {
  const granted = parseGrantsTo(databaseRoles[role], await readFile(rolesScriptPath, "utf8"));
  const needed = role === "worker" ? [...granted, ...queueRights(queueSchema)] : granted;
  const values = needed.map(
    (right, index) =>
      sql`(${index}::integer, ${right.on}::text, ${right.schema}::text, ${right.name}::text, ${right.column}::text, ${right.privilege}::text)`,
  );
  // The query reads the catalog's tables. A lookup by name, such as regclass, would fail for schemas that the user may not use.
  const rows = await queries.execute<{ index: number }>(sql`
    select index from (values ${sql.join(values, sql`, `)}) as needed (index, kind, schema, name, "column", privilege)
    where not coalesce(case kind
      when 'schema' then (select has_schema_privilege(oid, privilege) from pg_namespace where nspname = schema)
      when 'function' then (
        select bool_and(has_function_privilege(function.oid, privilege)) from pg_proc as function
        where pronamespace = (select oid from pg_namespace where nspname = schema) and proname = name
      )
      else (
        select case kind
          when 'table' then has_table_privilege(relation.oid, privilege)
          else (
            select has_column_privilege(relation.oid, attnum, privilege) from pg_attribute
            where attrelid = relation.oid and attname = "column" and not attisdropped
          ) end
        from pg_class as relation
        where relnamespace = (select oid from pg_namespace where nspname = schema) and relname = name
      ) end, false)
    order by index`);
  return [...rows].map(({ index }) => describeRight(needed[index]!));
}

/** Returns the rights on the table of jobs. The script grants the rights on all tables of the queue together, so checking one table suffices. */
function queueRights(queueSchema: string): readonly RequiredGrant[] {
  return reportLanes.flatMap((lane) => {
    const schema = laneSchemaName(queueSchema, lane);
    const privileges = ["SELECT", "INSERT", "UPDATE", "DELETE"];
    const onJobs = privileges.map((privilege) => ({
      on: "table" as const,
      schema,
      name: "_private_jobs",
      column: "",
      privilege,
    }));
    return [{ on: "schema" as const, schema, name: "", column: "", privilege: "USAGE" }, ...onJobs];
  });
}

function rightsOn(kind: string | undefined, object: string, privilege: string): readonly RequiredGrant[] {
  if (kind === "SCHEMA") return [{ on: "schema", schema: object, name: "", column: "", privilege }];
  const [, schema = "public", name = ""] = /^(?:(\w+)\.)?(\w+)(?:\(.*\))?$/.exec(object) ?? [];
  if (kind === "FUNCTION") return [{ on: "function", schema, name, column: "", privilege }];
  const [, ofTable = privilege, columns] = /^(\w+) \((.+)\)$/.exec(privilege) ?? [];
  if (columns === undefined) return [{ on: "table", schema, name, column: "", privilege }];
  return splitList(columns).map((column) => ({ on: "column", schema, name, column, privilege: ofTable }));
}

function splitList(list: string): readonly string[] {
  return list.split(/,(?![^(]*\))/).map((item) => item.trim());
}

function describeRight({ on, schema, name, column, privilege }: RequiredGrant): string {
  if (on === "schema") return `${privilege} on schema ${schema}`;
  const object = schema === "public" ? name : `${schema}.${name}`;
  return column === "" ? `${privilege} on ${object}` : `${privilege} (${column}) on ${object}`;
}
