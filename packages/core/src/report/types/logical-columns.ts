import type { ColumnKind } from "./column.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { ViewColumnType } from "./row-source.ts";

/** What a column of each SQL type holds. */
const kindOfType = {
  text: "text",
  "text[]": "list",
  integer: "integer",
  bigint: "bigint",
  numeric: "decimal",
  boolean: "boolean",
  timestamptz: "timestamp",
  date: "date",
  uuid: "text",
} as const satisfies Readonly<Record<ViewColumnType, ColumnKind>>;

/** SQL types whose values a report column of each kind shows as they are. */
export const typesOfKind = {
  text: ["text", "uuid"],
  integer: ["integer", "bigint"],
  bigint: ["bigint", "integer"],
  decimal: ["numeric", "integer", "bigint"],
  ratio: ["numeric"],
  bytes: ["bigint", "integer"],
  boolean: ["boolean"],
  timestamp: ["timestamptz"],
  date: ["date"],
  list: ["text[]"],
} as const satisfies Readonly<Record<ColumnKind, readonly ViewColumnType[]>>;

/**
 * What filters and conditions of a report type may name, and what it holds: of a view its logical columns, else the report's own. A
 * relation has more, which only packages/db knows.
 */
export function logicalColumnsOf({ rows, columns }: ReportTypeDefinition): ReadonlyMap<string, ColumnKind> {
  if (rows.kind !== "view") return new Map(columns.map(({ key, kind }) => [key, kind]));
  return new Map(Object.entries(rows.columns).map(([key, { type }]) => [key, kindOfType[type]]));
}

/** Whether values of the kind are numbers, which can be added up and compared with numbers. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === "integer" || kind === "bigint" || kind === "decimal" || kind === "ratio" || kind === "bytes";
}
