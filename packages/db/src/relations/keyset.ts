import type { KeysetPosition, SortKey } from "@reports/core";
import { sql, type SQL } from "drizzle-orm";
import { bind, columnOf, type ColumnType, type Relation } from "./relation.ts";

interface Term {
  readonly expression: SQL;
  readonly type: Exclude<ColumnType, "text[]">;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** The values of the sort of each row, as text, in the order in which a position holds them: one column `keyset`. */
export function keysetOf(relation: Relation, sort: readonly SortKey[]): SQL<(string | null)[]> {
  const values = termsOf(relation, sort).map((term) => sql`(${term.expression})::text`);
  // Not an array: postgres.js reads the nulls of one as the text "NULL".
  return sql<(string | null)[]>`json_build_array(${sql.join(values, sql`, `)})`;
}

/**
 * The conditions of the rows after a position (all rows, without one), in the order in which they follow one another: a caller reads the second
 * when the first has fewer rows than it wants. Rows without a value in the first key are a part of their own, because one condition over both
 * could not begin in the midst of an index. Null when the position does not belong to the sort.
 */
export function segmentsAfter(
  relation: Relation,
  sort: readonly SortKey[],
  position: KeysetPosition | null,
): readonly (SQL | undefined)[] | null {
  if (position === null) return [undefined];
  const terms = termsOf(relation, sort);
  if (position.length !== terms.length) return null;
  const [first, ...rest] = terms;
  const value = position[0]!;
  if (!first!.nullable) return value === null ? null : [after(terms, position)];
  const isNull = sql`${first!.expression} is null`;
  const isSet = sql`${first!.expression} is not null`;
  // Nulls come last ascending and first descending, as ORDER BY has them.
  if (value === null) {
    const nulls = sql`${isNull} and ${after(rest, position.slice(1))}`;
    return first!.descending ? [nulls, isSet] : [nulls];
  }
  const others = sql`${isSet} and ${after([{ ...first!, nullable: false }, ...rest], position)}`;
  return first!.descending ? [others] : [others, isNull];
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

function termsOf(relation: Relation, sort: readonly SortKey[]): Term[] {
  const terms = sort.map(({ key, descending }) => {
    const { expression, type, order, nullable } = columnOf(relation, key);
    return { expression: order?.expression ?? expression, type: scalar(order?.type ?? type), descending, nullable };
  });
  const descending = sort.at(-1)?.descending ?? false;
  return [...terms, { expression: relation.id, type: "uuid", descending, nullable: false }];
}

function scalar(type: ColumnType): Term["type"] {
  if (type === "text[]") throw new Error("Lists are sorted by scalar columns only.");
  return type;
}

function equals(term: Term, value: KeysetPosition[number]): SQL {
  return value === null ? sql`${term.expression} is null` : sql`${term.expression} = ${bind(value, term.type)}`;
}

/** Nulls come last ascending and first descending, as ORDER BY has them. */
function follows(term: Term, value: KeysetPosition[number]): SQL {
  if (term.descending) {
    return value === null ? sql`${term.expression} is not null` : sql`${term.expression} < ${bind(value, term.type)}`;
  }
  if (value === null) return sql`false`;
  const greater = sql`${term.expression} > ${bind(value, term.type)}`;
  return term.nullable ? sql`(${greater} or ${term.expression} is null)` : greater;
}
