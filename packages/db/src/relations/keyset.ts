import type { KeysetPosition, SortKey } from "@reports/core/query";
import { sql, type SQL } from "drizzle-orm";
import {
  bindScalar,
  joinByComma,
  requireRelationColumn,
  orderByTerm,
  type SqlColumnType,
  type Relation,
  type SqlScalarType,
} from "./relation.ts";

export interface SortTerm {
  readonly expression: SQL;
  readonly type: SqlScalarType;
  readonly descending: boolean;
  readonly nullable: boolean;
  readonly index: number;
}

export type BindPositionValue = (index: number, value: NonNullable<KeysetPosition[number]>, type: SqlScalarType) => SQL;

const bindImmediately: BindPositionValue = (_index, value, type) => bindScalar(value, type);

export function toSortTerms(relation: Relation, sort: readonly SortKey[]): SortTerm[] {
  const terms = sort.map(({ key, descending }, index) => {
    const { expression, type, order, nullable } = requireRelationColumn(relation, key);
    const by = { expression: order?.expression ?? expression, type: requireScalar(order?.type ?? type) };
    return { ...by, descending, nullable, index };
  });
  const descending = sort.at(-1)?.descending ?? false;
  return [...terms, { expression: relation.id, type: "uuid", descending, nullable: false, index: sort.length }];
}

/** Returns ORDER BY of a segment. Its first term is null in all rows or in none, so it needs no NULLS LAST and one index serves both directions. */
export function keysetSegmentOrderBy(terms: readonly SortTerm[]): SQL {
  return joinByComma(
    terms.map(({ expression, descending, nullable }, index) =>
      orderByTerm(expression, descending, nullable && index > 0),
    ),
  );
}

/**
 * Returns the conditions of the rows after a position (null: of all rows), one per segment, in order. Rows whose first sort value is null come last
 * in both directions and are a separate segment. For a single condition, Postgres would read the index from its start. Returns null if the position
 * does not fit the sort.
 */
export function keysetSegmentConditions(
  terms: readonly SortTerm[],
  position: KeysetPosition | null,
  bindValue: BindPositionValue = bindImmediately,
): readonly (SQL | undefined)[] | null {
  const [first, ...rest] = terms;
  const isNull = sql`${first!.expression} is null`;
  const isSet = sql`${first!.expression} is not null`;
  if (position === null) return first!.nullable ? [isSet, isNull] : [undefined];
  if (position.length !== terms.length) return null;
  if (!first!.nullable) return position[0] === null ? null : [afterPosition(terms, position, bindValue)];
  if (position[0] === null) return [sql`${isNull} and ${afterPosition(rest, position, bindValue)}`];
  return [sql`${isSet} and ${afterPosition([{ ...first!, nullable: false }, ...rest], position, bindValue)}`, isNull];
}

function afterPosition(terms: readonly SortTerm[], position: KeysetPosition, bindValue: BindPositionValue): SQL {
  const first = terms[0]!;
  const valueOf = ({ index, type }: SortTerm): SQL | null => {
    const value = position[index]!;
    return value === null ? null : bindValue(index, value, type);
  };
  if (terms.every((term) => !term.nullable && term.descending === first.descending)) {
    // With one comparison of the whole row `(a, b) > (x, y)`, Postgres starts reading the index at the position.
    const row = joinByComma(terms.map((term) => term.expression));
    const values = joinByComma(terms.map((term) => valueOf(term) ?? sql`null`));
    return sql`(${row}) ${first.descending ? sql`<` : sql`>`} (${values})`;
  }
  const alternatives = terms.map((term, at) => {
    const equal = terms.slice(0, at).map((before) => equalsValue(before, valueOf(before)));
    return sql.join([...equal, followsValue(term, valueOf(term))], sql` and `);
  });
  const anyOf = sql`(${sql.join(
    alternatives.map((alternative) => sql`(${alternative})`),
    sql` or `,
  )})`;
  if (first.nullable) return anyOf;
  // The comparison of the first term is redundant, but lets Postgres start in the index near the position.
  return sql`${first.expression} ${first.descending ? sql`<=` : sql`>=`} ${valueOf(first) ?? sql`null`} and ${anyOf}`;
}

function requireScalar(type: SqlColumnType): SortTerm["type"] {
  if (type === "text[]") throw new Error("Lists are sorted by scalar columns only.");
  return type;
}

function equalsValue({ expression }: SortTerm, value: SQL | null): SQL {
  return value === null ? sql`${expression} is null` : sql`${expression} = ${value}`;
}

function followsValue({ expression, descending, nullable }: SortTerm, value: SQL | null): SQL {
  if (value === null) return sql`false`;
  const beyond = sql`${expression} ${descending ? sql`<` : sql`>`} ${value}`;
  return nullable ? sql`(${beyond} or ${expression} is null)` : beyond;
}
