import type { SortKey } from "@reports/core/query";
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

/** SQL types of logical columns. */
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

/** What a logical column is in SQL. */
export interface RelationColumn {
  readonly expression: SQL;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Sorts by something else than its value, such as worst first. */
  readonly order?: { readonly expression: SQL; readonly type: ColumnType };
  /** Name of the join of the relation that the expression needs. */
  readonly join?: string;
  /** What follows from the column having one of the values, said of columns that have an index; undefined when nothing does. */
  readonly implies?: (values: readonly string[]) => SQL | undefined;
  /** Of a list that is made of conditions: whether it holds any of the values, for those who count and need no list. */
  readonly holds?: (values: readonly string[]) => SQL;
}

/** A relation by the names that filters, sorts and report columns use. Whatever is not in its table does not reach SQL. */
export interface Relation {
  readonly name: string;
  /** What stands after FROM, always. */
  readonly from: SQL;
  /** Joins that are dear and only taken when one of their columns is used; each keeps the number of rows. */
  readonly joins?: Readonly<Record<string, SQL>>;
  /** Leaves the deleted out. */
  readonly living: SQL;
  /** Breaks ties of every sort. */
  readonly id: SQL;
  readonly columns: Readonly<Record<string, RelationColumn>>;
}

/** A column of a table, or an expression over columns. */
export function column(
  expression: SQLWrapper,
  type: ColumnType,
  details: Partial<Pick<RelationColumn, "nullable" | "order" | "join" | "implies" | "holds">> = {},
): RelationColumn {
  const { order, ...others } = details;
  return {
    nullable: false,
    ...others,
    ...(order === undefined ? {} : { order: { ...order, expression: written(order.expression) } }),
    expression: written(expression),
    type,
  };
}

const dialect = new PgDialect();

/**
 * The same as text, with its constants, which are ours, in their places: for each report and list the columns would be put together anew,
 * and a report whose rows are asked for with values needs a round trip more.
 */
function written(expression: SQLWrapper): SQL {
  const whole = sql`${expression}`;
  if (!dialect.sqlToQuery(whole).params.every(isPlain)) return whole;
  // oxlint-disable-next-line no-restricted-properties -- checked constants, never input
  return sql.raw(dialect.sqlToQuery(whole.inlineParams()).sql);
}

/** Whether a constant is the same within quotes whoever puts it there. */
function isPlain(constant: unknown): boolean {
  return Number.isSafeInteger(constant) || (typeof constant === "string" && /^[A-Z_]*$/.test(constant));
}

/** Looks a logical column up. An unknown one is a bug: input was checked against the definition before. */
export function columnOf(relation: Relation, key: string): RelationColumn {
  if (!Object.hasOwn(relation.columns, key)) throw new Error(`The relation ${relation.name} has no column ${key}.`);
  return relation.columns[key]!;
}

/** FROM with the joins that the named columns need. */
export function fromOf(relation: Relation, keys: Iterable<string>): SQL {
  const names = new Set([...keys].flatMap((key) => columnOf(relation, key).join ?? []));
  const joins = [...names].map((name) => relation.joins![name]!);
  return sql.join([relation.from, ...joins], sql` `);
}

/** ORDER BY terms: nulls come last in both directions; ties are broken by id. */
export function orderOf(relation: Relation, sort: readonly SortKey[]): SQL {
  const terms = sort.map(({ key, descending }) => {
    const { expression, order, nullable } = columnOf(relation, key);
    return directed(order?.expression ?? expression, descending, nullable);
  });
  return sql.join([...terms, directed(relation.id, sort.at(-1)?.descending ?? false, false)], sql`, `);
}

/** One term of ORDER BY. Ascending, Postgres puts nulls last by itself. */
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

/** SQL types of single values. */
export type ScalarType = Exclude<ColumnType, "text[]">;

/** A bound value of the type. It always travels as text, so that drivers and quoting cannot differ. */
export function bind(value: string | number | boolean, type: ScalarType): SQL {
  return cast(sql`${String(value)}`, type);
}

/** A text as a value of the type. */
export function cast(text: SQL, type: ScalarType): SQL {
  return sql`${text}${casts[type]}`;
}

/** A bound array of texts. */
export function bindTexts(values: readonly (string | number | boolean)[]): SQL {
  return bindAll(values, "text");
}

/** Bound values of the type as an array; at least one. */
export function bindAll(values: readonly (string | number | boolean)[], type: ScalarType): SQL {
  return sql`array[${sql.join(
    values.map((value) => bind(value, type)),
    sql`, `,
  )}]`;
}

/** A CASE that ranks constants in the given order, for sorting. */
export function rank(expression: SQLWrapper, values: readonly string[]): RelationColumn["order"] {
  return { expression: sql`array_position(${bindTexts(values)}, ${expression})`, type: "integer" };
}
