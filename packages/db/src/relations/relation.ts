import type { SortKey } from "@reports/core/query";
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

export type SqlColumnType =
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
  readonly type: SqlColumnType;
  readonly nullable: boolean;
  readonly stored?: SQL;
  /** SQL to sort by instead of `expression`, such as the rank of a severity. */
  readonly order?: {
    readonly expression: SQL;
    readonly type: SqlColumnType;
    /** Whether different values of the column can have the same rank. Default: false. */
    readonly mayTie?: boolean;
  };
  readonly join?: string;
  /** Returns a condition on indexed columns that is true for every row with one of the values. Undefined if no such condition exists. */
  readonly implies?: (values: readonly string[]) => SQL | undefined;
  /** For an array column: returns SQL that reports whether the array contains any of the values, without building it. */
  readonly holds?: (values: readonly string[]) => SQL;
}

/**
 * A table or view and its columns, by the names of filters, sorts and report columns. A name from a request only selects a column and never becomes
 * SQL.
 */
export interface Relation {
  readonly name: string;
  readonly from: SQL;
  /** Expensive joins, by name. A query contains only those that its columns need, so no join may change the number of rows. */
  readonly joins?: Readonly<Record<string, SQL>>;
  readonly active: SQL;
  readonly id: SQL;
  readonly columns: Readonly<Record<string, RelationColumn>>;
}

export function createRelationColumn(
  expression: SQLWrapper,
  type: SqlColumnType,
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

/** Writes constants into the SQL text. As parameters, they would cost each report a round trip to learn their types. */
function inlineConstants(expression: SQLWrapper): SQL {
  const whole = sql`${expression}`;
  if (!dialect.sqlToQuery(whole).params.every(isSafeConstant)) return whole;
  // oxlint-disable-next-line no-restricted-properties -- checked constants, never input
  return sql.raw(dialect.sqlToQuery(whole.inlineParams()).sql);
}

function isSafeConstant(constant: unknown): boolean {
  return Number.isSafeInteger(constant) || (typeof constant === "string" && /^[A-Z_]*$/.test(constant));
}

/** Throws an Error for an unknown column, because the request was already checked against the definition. */
export function requireRelationColumn(relation: Relation, key: string): RelationColumn {
  if (!Object.hasOwn(relation.columns, key)) throw new Error(`The relation ${relation.name} has no column ${key}.`);
  return relation.columns[key]!;
}

export function fromClauseOf(relation: Relation, keys: Iterable<string>): SQL {
  const names = new Set([...keys].flatMap((key) => requireRelationColumn(relation, key).join ?? []));
  const joins = [...names].map((name) => relation.joins![name]!);
  return sql.join([relation.from, ...joins], sql` `);
}

/** Returns the terms of ORDER BY, with the ID last. If values of a groupable first key can share a rank, rows are also sorted by the value. */
export function orderByOf(relation: Relation, sort: readonly SortKey[], groupable: readonly string[] = []): SQL {
  const terms = sort.flatMap(({ key, descending }, index) => {
    const { expression, order, nullable } = requireRelationColumn(relation, key);
    const mayMix = order?.mayTie === true && index === 0 && groupable.includes(key);
    const expressions = mayMix ? [order.expression, expression] : [order?.expression ?? expression];
    return expressions.map((term) => orderByTerm(term, descending, nullable));
  });
  return joinByComma([...terms, orderByTerm(relation.id, sort.at(-1)?.descending ?? false, false)]);
}

export function orderByTerm(expression: SQL, descending: boolean, nullsLast: boolean): SQL {
  if (!descending) return expression;
  return nullsLast ? sql`${expression} desc nulls last` : sql`${expression} desc`;
}

const castByType: Readonly<Record<SqlColumnType, SQL>> = {
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

export type SqlScalarType = Exclude<SqlColumnType, "text[]">;

/** Returns a parameter that is sent as text and cast by Postgres, so that no driver converts the value. */
export function bindScalar(value: string | number | boolean, type: SqlScalarType): SQL {
  return castText(sql`${String(value)}`, type);
}

export function castText(text: SQL, type: SqlScalarType): SQL {
  return sql`${text}${castByType[type]}`;
}

export function bindArray(values: readonly (string | number | boolean)[], type: SqlScalarType = "text"): SQL {
  return sql`array[${joinByComma(values.map((value) => bindScalar(value, type)))}]`;
}

export function joinByComma(expressions: readonly SQLWrapper[]): SQL {
  return sql.join([...expressions], sql`, `);
}

export function createRankOrder(expression: SQLWrapper, values: readonly string[]): RelationColumn["order"] {
  return { expression: sql`array_position(${bindArray(values)}, ${expression})`, type: "integer" };
}
