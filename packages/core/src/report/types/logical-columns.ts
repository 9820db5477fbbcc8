import type { ColumnKind } from "./column.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { ViewColumnType } from "./row-source.ts";

const kindOfType = {
  text: "text",
  "text[]": "list",
  integer: "integer",
  bigint: "bigint",
  numeric: "decimal",
  boolean: "boolean",
  timestamptz: "timestamp",
  date: "date",
  time: "time",
  interval: "duration",
  uuid: "text",
} as const satisfies Readonly<Record<ViewColumnType, ColumnKind>>;

/** SQL types of view columns whose values each column kind can show unchanged. */
export const sqlTypesByColumnKind = {
  text: ["text", "uuid"],
  integer: ["integer", "bigint"],
  bigint: ["bigint", "integer"],
  decimal: ["numeric", "integer", "bigint"],
  ratio: ["numeric"],
  bytes: ["bigint", "integer"],
  duration: ["interval", "numeric", "integer", "bigint"],
  boolean: ["boolean"],
  timestamp: ["timestamptz"],
  date: ["date"],
  time: ["time"],
  list: ["text[]"],
} as const satisfies Readonly<Record<ColumnKind, readonly ViewColumnType[]>>;

export function findLogicalColumnKinds({ rows, columns }: ReportTypeDefinition): ReadonlyMap<string, ColumnKind> {
  if (rows.kind !== "view") return new Map(columns.map(({ key, kind }) => [key, kind]));
  return new Map(Object.entries(rows.columns).map(([key, { type }]) => [key, kindOfType[type]]));
}

const numericKinds: ReadonlySet<ColumnKind> = new Set(["integer", "bigint", "decimal", "ratio", "bytes", "duration"]);

/** Reports whether values of a kind are numbers, which can be added up and compared with numbers. A duration is its seconds. */
export function isNumericKind(kind: ColumnKind): boolean {
  return numericKinds.has(kind);
}
