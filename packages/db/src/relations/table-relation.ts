import { getTableColumns, getTableName, sql } from "drizzle-orm";
import type { AnyPgColumn, PgColumn, PgTable } from "drizzle-orm/pg-core";
import { createRelationColumn, type SqlColumnType, type Relation } from "./relation.ts";

const columnTypes: Readonly<Record<string, SqlColumnType>> = {
  text: "text",
  "text[]": "text[]",
  integer: "integer",
  bigint: "bigint",
  numeric: "numeric",
  boolean: "boolean",
  "timestamp with time zone": "timestamptz",
  uuid: "uuid",
};

type FieldColumns<Table extends PgTable, Field extends string> = {
  readonly [Name in Field]: Name extends keyof Table["_"]["columns"] ? Table["_"]["columns"][Name] : PgColumn;
};

export function selectFieldColumns<Table extends PgTable, Field extends string>(
  table: Table,
  fields: readonly Field[],
): FieldColumns<Table, Field> {
  const columns: Readonly<Record<string, PgColumn>> = getTableColumns(table);
  return Object.fromEntries(
    fields.map((field) => {
      if (!Object.hasOwn(columns, field))
        throw new Error(`The table ${getTableName(table)} has no column for the field ${field} of its records.`);
      return [field, columns[field]!];
    }),
  ) as FieldColumns<Table, Field>;
}

/** Returns the columns for filters and sorts. Omits JSON columns, because no filter or sort uses them. */
export function toFilterableColumns(columns: Readonly<Record<string, PgColumn>>): Relation["columns"] {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([field, from]) => {
      const type = columnTypes[from.getSQLType().replace(/ ?\([^()]*\)/, "")];
      return type === undefined ? [] : [[field, createRelationColumn(from, type, { nullable: !from.notNull })]];
    }),
  );
}

export function createTableRelation(
  table: PgTable & { readonly id: AnyPgColumn; readonly deletedAt?: AnyPgColumn },
  columns: Readonly<Record<string, PgColumn>>,
): Relation {
  return {
    name: getTableName(table),
    from: sql`${table}`,
    active: table.deletedAt === undefined ? sql`true` : sql`${table.deletedAt} is null`,
    id: sql`${table.id}`,
    columns: toFilterableColumns(columns),
  };
}
