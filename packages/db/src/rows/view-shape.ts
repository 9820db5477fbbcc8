import { ReportNotServedError } from "@reports/core/base";
import type { ReportTypeDefinition, ViewColumnType, ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import type { Client } from "pg";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import type { RelationColumn } from "../relations/relation.ts";
import { bindNullParameter, createViewRelation } from "../relations/view-relation.ts";
import { toBoundQuery } from "./report-query.ts";

/**
 * Object IDs of Postgres's built-in types, which never change. In a result, a column whose type is a Postgres domain has the ID of the domain's base
 * type.
 */
const typeIds: Readonly<Record<ViewColumnType, readonly number[]>> = {
  text: [25],
  "text[]": [1009],
  integer: [23, 21],
  bigint: [20, 23, 21],
  numeric: [1700, 20, 23, 21],
  boolean: [16],
  timestamptz: [1184],
  date: [1082],
  time: [1083],
  interval: [1186],
  uuid: [2950],
};

/**
 * Returns the keys of columns whose type differs from the report type. Also checks names and rights, and locks the view until the transaction ends.
 */
export async function findMismatchedColumns(client: Client, rows: ViewRows): Promise<readonly string[]> {
  const { columns, from, active, id } = createViewRelation(rows, bindNullParameter);
  const keys = Object.keys(columns);
  const outputs = keys.map((key) => storedValue(columns[key]!));
  const order = [...keys.flatMap((key) => columns[key]!.order?.expression ?? []), id];
  const { text } = toBoundQuery(
    sql`select ${sql.join([...outputs, ...order], sql`, `)} from ${from} where ${active} order by ${sql.join(order, sql`, `)} limit 0`,
  );
  const { fields } = await client.query({ text, rowMode: "array" });
  return Object.entries(rows.columns).flatMap(([key, { type }], index) =>
    typeIds[type].includes(fields[index]!.dataTypeID) ? [] : [key],
  );
}

/** Rejects with ReportNotServedError if a column type differs from the definition, and with Postgres's error if the view can't be read. */
export async function assertViewColumnTypes(client: Client, { type, rows }: ReportTypeDefinition): Promise<void> {
  if (rows.kind === "view") refuseMismatchedColumns(type, rows, await findMismatchedColumns(client, rows));
}

/**
 * Does the same as assertViewColumnTypes for a driver that returns no result types. A column whose type is a Postgres domain always passes, because its
 * base type takes a recursive query.
 */
export async function assertViewColumnTypesByQuery(
  queries: Queries,
  { type, rows }: ReportTypeDefinition,
): Promise<void> {
  if (rows.kind !== "view") return;
  const { columns, from, active } = createViewRelation(rows, bindNullParameter);
  const keys = Object.keys(columns);
  const names = keys.map((key, index) => storedValue(columns[key]!).as(`c${index}`));
  const outputs = keys.map((key, index) => sql`${storedValue(columns[key]!)} as ${names[index]!}`);
  const types = names.map(
    (name) =>
      sql`(select case typtype when 'd' then null else oid::integer end from pg_type where oid = pg_typeof(${name}))`,
  );
  const [row] = await queries.execute(sql`
    select to_json(array[${sql.join(types, sql`, `)}])::text as types
    from (select) one left join (select ${sql.join(outputs, sql`, `)} from ${from} where ${active} limit 0) none on true`);
  const found = typeIdsSchema.parse(JSON.parse(String(row!["types"])));
  const others = Object.entries(rows.columns).flatMap(([key, { type: expected }], index) => {
    const id = found[index] ?? null;
    return id === null || typeIds[expected].includes(id) ? [] : [key];
  });
  refuseMismatchedColumns(type, rows, others);
}

function storedValue({ stored, expression }: RelationColumn): SQL {
  return stored ?? expression;
}

const typeIdsSchema = z.array(z.int().nullable());

function refuseMismatchedColumns(type: string, { view }: ViewRows, keys: readonly string[]): void {
  if (keys.length === 0) return;
  throw new ReportNotServedError(
    "TYPE_UNUSABLE",
    `${view} does not fit the report type ${type}: the type of ${keys.join(", ")} has changed.`,
  );
}
