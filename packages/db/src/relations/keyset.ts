import type { KeysetPosition, SortKey } from "@reports/core";
import { sql, type SQL } from "drizzle-orm";
import { bind, columnOf, directed, type ColumnType, type Relation } from "./relation.ts";

/** One of the values by which a list is sorted. */
export interface Term {
  readonly expression: SQL;
  readonly type: Exclude<ColumnType, "text[]">;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** What a list is sorted by: the keys of the sort, then the id, which breaks ties. */
export function termsOf(relation: Relation, sort: readonly SortKey[]): Term[] {
  const terms = sort.map(({ key, descending }) => {
    const { expression, type, order, nullable } = columnOf(relation, key);
    return { expression: order?.expression ?? expression, type: scalar(order?.type ?? type), descending, nullable };
  });
  const descending = sort.at(-1)?.descending ?? false;
  return [...terms, { expression: relation.id, type: "uuid", descending, nullable: false }];
}

/**
 * ORDER BY of the rows of one segment. Its first term either has a value in every row or in none: where nulls would stand need not be said,
 * so that one index serves both directions.
 */
export function segmentOrder(terms: readonly Term[]): SQL {
  return sql.join(
    terms.map(({ expression, descending, nullable }, index) => directed(expression, descending, nullable && index > 0)),
    sql`, `,
  );
}

/**
 * The conditions of the rows after a position (all rows, without one), in the order in which they follow one another. Rows without a value
 * in the first term come last in both directions and are a segment of their own, because one condition over both would read from the
 * beginning of an index. Null when the position does not belong to the sort.
 */
export function segmentsAfter(
  terms: readonly Term[],
  position: KeysetPosition | null,
): readonly (SQL | undefined)[] | null {
  const [first, ...rest] = terms;
  const isNull = sql`${first!.expression} is null`;
  const isSet = sql`${first!.expression} is not null`;
  if (position === null) return first!.nullable ? [isSet, isNull] : [undefined];
  if (position.length !== terms.length) return null;
  if (!first!.nullable) return position[0] === null ? null : [after(terms, position)];
  if (position[0] === null) return [sql`${isNull} and ${after(rest, position.slice(1))}`];
  return [sql`${isSet} and ${after([{ ...first!, nullable: false }, ...rest], position)}`, isNull];
}

/** The rows after a position, term by term. */
function after(terms: readonly Term[], position: KeysetPosition): SQL {
  const first = terms[0]!;
  if (terms.every((term) => !term.nullable && term.descending === first.descending)) {
    // A comparison of rows begins in the index right at the position.
    const row = sql.join(
      terms.map((term) => term.expression),
      sql`, `,
    );
    const values = sql.join(
      terms.map((term, index) => bind(position[index]!, term.type)),
      sql`, `,
    );
    return sql`(${row}) ${first.descending ? sql`<` : sql`>`} (${values})`;
  }
  const alternatives = terms.map((term, index) => {
    const equal = terms.slice(0, index).map((before, i) => equals(before, position[i]!));
    return sql.join([...equal, follows(term, position[index]!)], sql` and `);
  });
  const anyOf = sql`(${sql.join(
    alternatives.map((alternative) => sql`(${alternative})`),
    sql` or `,
  )})`;
  if (first.nullable) return anyOf;
  // Says nothing new, but lets an index begin near the position.
  return sql`${first.expression} ${first.descending ? sql`<=` : sql`>=`} ${bind(position[0]!, first.type)} and ${anyOf}`;
}

function scalar(type: ColumnType): Term["type"] {
  if (type === "text[]") throw new Error("Lists are sorted by scalar columns only.");
  return type;
}

function equals(term: Term, value: KeysetPosition[number]): SQL {
  return value === null ? sql`${term.expression} is null` : sql`${term.expression} = ${bind(value, term.type)}`;
}

/** Nulls come last in both directions: nothing follows them. */
function follows(term: Term, value: KeysetPosition[number]): SQL {
  if (value === null) return sql`false`;
  const beyond = sql`${term.expression} ${term.descending ? sql`<` : sql`>`} ${bind(value, term.type)}`;
  return term.nullable ? sql`(${beyond} or ${term.expression} is null)` : beyond;
}
