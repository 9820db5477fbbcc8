import type { SortKey } from "@reports/core/query";
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

export type ColumnType =
  | "text"
  | "text[]"
  | "integer"
  | "bigint"
  | "numeric"
  | "boolean"
  | "timestamptz"
  | "date"
  | "uuid";

export interface RelationColumn {
  readonly expression: SQL;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Replaces the value in sorts, such as worst first. */
  readonly order?: { readonly expression: SQL; readonly type: ColumnType };
  /** The relation's join that the expression needs. */
  readonly join?: string;
  /** Returns what values of the column imply about indexed columns; undefined if nothing. */
  readonly implies?: (values: readonly string[]) => SQL | undefined;
  /** For a list of conditions: whether it holds any of the values, without building the list. */
  readonly holds?: (values: readonly string[]) => SQL;
}

/** A relation by the names of filters, sorts and report columns. Nothing outside its table reaches SQL. */
export interface Relation {
  readonly name: string;
  readonly from: SQL;
  /** Expensive joins, used only for their columns; each keeps the number of rows. */
  readonly joins?: Readonly<Record<string, SQL>>;
  /** Excludes deleted rows. */
  readonly active: SQL;
  readonly id: SQL;
  readonly columns: Readonly<Record<string, RelationColumn>>;
}

export function column(
  expression: SQLWrapper,
  type: ColumnType,
  details: Partial<Pick<RelationColumn, "nullable" | "order" | "join" | "implies" | "holds">> = {},
): RelationColumn {
  const { order, ...others } = details;
  return {
    nullable: false,
    ...others,
    ...(order === undefined ? {} : { order: { ...order, expression: inlineConstants(order.expression) } }),
    expression: inlineConstants(expression),
    type,
  };
}

const dialect = new PgDialect();

/** Inlines our constants once: values would cost a report another round trip, and columns would be built again. */
function inlineConstants(expression: SQLWrapper): SQL {
  const whole = sql`${expression}`;
  if (!dialect.sqlToQuery(whole).params.every(isSafeConstant)) return whole;
  // oxlint-disable-next-line no-restricted-properties -- checked constants, never input
  return sql.raw(dialect.sqlToQuery(whole.inlineParams()).sql);
}

/** Whether a constant is safe within quotes. */
function isSafeConstant(constant: unknown): boolean {
  return Number.isSafeInteger(constant) || (typeof constant === "string" && /^[A-Z_]*$/.test(constant));
}

/** An unknown column is a bug: input was checked against the definition. */
export function columnOf(relation: Relation, key: string): RelationColumn {
  if (!Object.hasOwn(relation.columns, key)) throw new Error(`The relation ${relation.name} has no column ${key}.`);
  return relation.columns[key]!;
}

export function fromOf(relation: Relation, keys: Iterable<string>): SQL {
  const names = new Set([...keys].flatMap((key) => columnOf(relation, key).join ?? []));
  const joins = [...names].map((name) => relation.joins![name]!);
  return sql.join([relation.from, ...joins], sql` `);
}

export function orderOf(relation: Relation, sort: readonly SortKey[]): SQL {
  const terms = sort.map(({ key, descending }) => {
    const { expression, order, nullable } = columnOf(relation, key);
    return directed(order?.expression ?? expression, descending, nullable);
  });
  return sql.join([...terms, directed(relation.id, sort.at(-1)?.descending ?? false, false)], sql`, `);
}

/** Ascending, Postgres puts nulls last itself. */
export function directed(expression: SQL, descending: boolean, nullsLast: boolean): SQL {
  if (!descending) return expression;
  return nullsLast ? sql`${expression} desc nulls last` : sql`${expression} desc`;
}

const casts: Readonly<Record<ColumnType, SQL>> = {
  text: sql`::text`,
  "text[]": sql`::text[]`,
  integer: sql`::text::integer`,
  bigint: sql`::text::bigint`,
  numeric: sql`::text::numeric`,
  boolean: sql`::text::boolean`,
  timestamptz: sql`::text::timestamptz`,
  date: sql`::text::date`,
  uuid: sql`::text::uuid`,
};

export type ScalarType = Exclude<ColumnType, "text[]">;

/** A value bound as text, so that drivers and quoting cannot differ. */
export function bind(value: string | number | boolean, type: ScalarType): SQL {
  return cast(sql`${String(value)}`, type);
}

export function cast(text: SQL, type: ScalarType): SQL {
  return sql`${text}${casts[type]}`;
}

export function bindTexts(values: readonly (string | number | boolean)[]): SQL {
  return bindAll(values, "text");
}

export function bindAll(values: readonly (string | number | boolean)[], type: ScalarType): SQL {
  return sql`array[${sql.join(
    values.map((value) => bind(value, type)),
    sql`, `,
  )}]`;
}

/** Ranks constants in the given order, for sorting. */
export function rank(expression: SQLWrapper, values: readonly string[]): RelationColumn["order"] {
  return { expression: sql`array_position(${bindTexts(values)}, ${expression})`, type: "integer" };
}
