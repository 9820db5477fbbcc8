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
  | "time"
  | "uuid";

export interface RelationColumn {
  readonly expression: SQL;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The column itself, if the expression converts its value. */
  readonly stored?: SQL;
  /** The expression that sorts use instead of the value, for example to sort by severity. */
  readonly order?: {
    readonly expression: SQL;
    readonly type: ColumnType;
    /** Whether different values may have the same place in the order. */
    readonly mayTie?: boolean;
  };
  /** Name of the relation's join that the expression needs. */
  readonly join?: string;
  /** Returns a condition on indexed columns that the values imply; undefined if there is none. */
  readonly implies?: (values: readonly string[]) => SQL | undefined;
  /** For a list of conditions: returns whether it contains any of the values, without building the list. */
  readonly holds?: (values: readonly string[]) => SQL;
}

/** A table or view and its columns, by the names that filters, sorts and report columns use. Names of input reach SQL only through this table. */
export interface Relation {
  readonly name: string;
  readonly from: SQL;
  /** Expensive joins, by name. Each is used only if one of its columns is needed. None of them changes the number of rows. */
  readonly joins?: Readonly<Record<string, SQL>>;
  /** The condition that excludes deleted rows. */
  readonly active: SQL;
  readonly id: SQL;
  readonly columns: Readonly<Record<string, RelationColumn>>;
}

export function column(
  expression: SQLWrapper,
  type: ColumnType,
  details: Partial<Pick<RelationColumn, "nullable" | "stored" | "order" | "join" | "implies" | "holds">> = {},
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

/** Writes the constants of an expression into its SQL. As parameters, they would cost each report another round trip. */
function inlineConstants(expression: SQLWrapper): SQL {
  const whole = sql`${expression}`;
  if (!dialect.sqlToQuery(whole).params.every(isSafeConstant)) return whole;
  // oxlint-disable-next-line no-restricted-properties -- checked constants, never input
  return sql.raw(dialect.sqlToQuery(whole.inlineParams()).sql);
}

/** Whether a constant can be written into SQL without escaping. */
function isSafeConstant(constant: unknown): boolean {
  return Number.isSafeInteger(constant) || (typeof constant === "string" && /^[A-Z_]*$/.test(constant));
}

/** Returns a column. Throws an Error for an unknown one, which is a bug because input was checked against the definition. */
export function columnOf(relation: Relation, key: string): RelationColumn {
  if (!Object.hasOwn(relation.columns, key)) throw new Error(`The relation ${relation.name} has no column ${key}.`);
  return relation.columns[key]!;
}

export function fromOf(relation: Relation, keys: Iterable<string>): SQL {
  const names = new Set([...keys].flatMap((key) => columnOf(relation, key).join ?? []));
  const joins = [...names].map((name) => relation.joins![name]!);
  return sql.join([relation.from, ...joins], sql` `);
}

/** Returns the terms of ORDER BY. Rows that are sorted by a column of `groupable` first have its equal values next to each other. */
export function orderOf(relation: Relation, sort: readonly SortKey[], groupable: readonly string[] = []): SQL {
  const terms = sort.flatMap(({ key, descending }, index) => {
    const { expression, order, nullable } = columnOf(relation, key);
    const mayMix = order?.mayTie === true && index === 0 && groupable.includes(key);
    const expressions = mayMix ? [order.expression, expression] : [order?.expression ?? expression];
    return expressions.map((term) => directedTerm(term, descending, nullable));
  });
  return sql.join([...terms, directedTerm(relation.id, sort.at(-1)?.descending ?? false, false)], sql`, `);
}

/** Returns a term of ORDER BY. In ascending order, Postgres puts nulls last by default. */
export function directedTerm(expression: SQL, descending: boolean, nullsLast: boolean): SQL {
  if (!descending) return expression;
  return nullsLast ? sql`${expression} desc nulls last` : sql`${expression} desc`;
}

const castByType: Readonly<Record<ColumnType, SQL>> = {
  text: sql`::text`,
  "text[]": sql`::text[]`,
  integer: sql`::text::integer`,
  bigint: sql`::text::bigint`,
  numeric: sql`::text::numeric`,
  boolean: sql`::text::boolean`,
  timestamptz: sql`::text::timestamptz`,
  date: sql`::text::date`,
  time: sql`::text::time`,
  uuid: sql`::text::uuid`,
};

export type ScalarType = Exclude<ColumnType, "text[]">;

/** Binds a value as text with a cast. So drivers and quoting cannot change it. */
export function bind(value: string | number | boolean, type: ScalarType): SQL {
  return castText(sql`${String(value)}`, type);
}

export function castText(text: SQL, type: ScalarType): SQL {
  return sql`${text}${castByType[type]}`;
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

/** Returns a sort expression: the position of a value in the given list. */
export function rankBy(expression: SQLWrapper, values: readonly string[]): RelationColumn["order"] {
  return { expression: sql`array_position(${bindTexts(values)}, ${expression})`, type: "integer" };
}
