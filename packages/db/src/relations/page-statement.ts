import { and, sql, type SQL } from "drizzle-orm";
import { segmentOrder, type Term } from "./keyset.ts";
import { bind, bindAll, type ScalarType } from "./relation.ts";

/** A condition that divides a list into parts: the expression equals one of the values. Each value is one part. */
export interface ListPart {
  readonly expression: SQL;
  readonly type: ScalarType;
  /** At least one value, without duplicates. */
  readonly values: readonly string[];
}

export interface PageRequest {
  readonly from: SQL;
  readonly where: SQL | undefined;
  readonly parts: readonly ListPart[];
  readonly terms: readonly Term[];
  /** Conditions of the segments, in order. Undefined stands for all rows. */
  readonly segments: readonly (SQL | undefined)[];
  /** Conditions of which each row of the first segment satisfies exactly one. With each, Postgres can begin nearer to the page in an index. */
  readonly ranges?: readonly SQL[];
  readonly limit: number;
}

/** The IDs and sort values of a page, to be joined with the complete rows. */
export interface PageStatement {
  /** The subquery `(select …) page`. */
  readonly page: SQL;
  readonly id: SQL;
  readonly orderBy: SQL;
  /** The sort values of each row as texts, in the order of a position. */
  readonly keyset: SQL<(string | null)[]>;
}

/** Maximum number of combinations that are planned separately. Planning takes about 0.1 ms for each and segment. More have one plan. */
export const maxPlanned = 16;

/**
 * Returns one statement per page, so that the page shows a single moment. Segments are branches of a `union all`. Each combination of the
 * parts' values is read separately, at most `limit` rows per combination and segment. One part has an index that begins with it, so that one
 * plan is right for all its values. Combinations of several are separate branches, because the best index depends on how common their
 * values are.
 */
export function pageStatement(request: PageRequest): PageStatement {
  const { from, where, parts, terms, segments, ranges = [], limit } = request;
  // Written into the SQL text, because the plan depends on how few rows are needed.
  const maxRows = inlineWholeNumber(limit);
  const keys = terms.map((term, index) => ({ ...term, expression: sql`page.${aliasOf(`key_${index}`)}` }));
  const outputs = terms.map(({ expression }, index) => sql`${expression} as ${aliasOf(`key_${index}`)}`);
  const rowsOf = (segment: number, conditions: readonly (SQL | undefined)[]): SQL =>
    sql`select ${inlineWholeNumber(segment)}::integer as segment, ${sql.join(outputs, sql`, `)} from ${from}
      where ${and(where, ...conditions)} order by ${segmentOrder(terms)} limit ${maxRows}`;
  const planned = combinationsOf(parts);
  const branches = segments.flatMap((segment, index) =>
    (index === 0 && ranges.length > 0 ? ranges : [undefined]).flatMap((range) => {
      if (planned !== null) return planned.map((equal) => sql`(${rowsOf(index, [...equal, segment, range])})`);
      const values = parts.map((_, at) => aliasOf(`part_${at}`));
      const each = parts.map((part, at) => sql`unnest(${bindAll(part.values, part.type)}) as ${values[at]!}(value)`);
      const equal = parts.map(({ expression }, at) => sql`${expression} = ${values[at]!}.value`);
      const rows = rowsOf(index, [...equal, segment, range]);
      return [sql`(select found.* from ${sql.join(each, sql` cross join `)} cross join lateral (${rows}) found)`];
    }),
  );
  const orderBy = sql`page.segment, ${segmentOrder(keys)}`;
  const keyset = keysetOf(keys);
  const page = sql`(select * from (${sql.join(branches, sql` union all `)}) page order by ${orderBy} limit ${maxRows}) page`;
  return { page, id: keys.at(-1)!.expression, orderBy, keyset };
}

/** Returns the conditions of each combination of the parts' values, or null if one plan is for all of them. */
function combinationsOf(parts: readonly ListPart[]): readonly (readonly SQL[])[] | null {
  const count = parts.reduce((product, { values }) => product * values.length, 1);
  if (parts.length === 1 || count > maxPlanned) return null;
  return parts.reduce<readonly (readonly SQL[])[]>(
    (combinations, { expression, type, values }) =>
      combinations.flatMap((equal) => values.map((value) => [...equal, sql`${expression} = ${bind(value, type)}`])),
    [[]],
  );
}

export function keysetOf(terms: readonly Pick<Term, "expression">[]): SQL<(string | null)[]> {
  // JSON instead of an array, because postgres.js reads a null in an array as the text "NULL".
  return sql<(string | null)[]>`json_build_array(${sql.join(
    terms.map(({ expression }) => sql`(${expression})::text`),
    sql`, `,
  )})`;
}

function inlineWholeNumber(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("Only whole numbers can be written into a statement.");
  // oxlint-disable-next-line no-restricted-properties -- digits need no quotes
  return sql.raw(String(value));
}

function aliasOf(name: string): SQL.Aliased {
  return sql``.as(name);
}
