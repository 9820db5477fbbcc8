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

/** A search among the first rows of a list. Only the columns of the page and this one are read of them. */
export interface ListScan {
  /** Maximum number of rows that are compared. */
  readonly rows: number;
  readonly column: SQL;
  /** Returns the condition on the column's value. */
  matches(value: SQL): SQL;
}

export interface PageRequest {
  readonly from: SQL;
  readonly where: SQL | undefined;
  readonly parts: readonly ListPart[];
  readonly terms: readonly Term[];
  /** Conditions of the segments, in order. Undefined stands for all rows. */
  readonly segments: readonly (SQL | undefined)[];
  /** For each segment, conditions of which each of its rows satisfies exactly one. Each is read separately. */
  readonly ranges?: readonly (readonly SQL[] | undefined)[];
  readonly scan?: ListScan | undefined;
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
  const { from, where, parts, terms, segments, ranges = [], scan, limit } = request;
  // Written into the SQL text, because the plan depends on how few rows are needed.
  const maxRows = inlineWholeNumber(scan?.rows ?? limit);
  const keys = terms.map((term, index) => ({ ...term, expression: sql`page.${aliasOf(`key_${index}`)}` }));
  const outputs = [
    ...terms.map(({ expression }, index) => sql`${expression} as ${aliasOf(`key_${index}`)}`),
    ...(scan === undefined ? [] : [sql`${scan.column} as scanned`]),
  ];
  const rowsOf = (segment: number, conditions: readonly (SQL | undefined)[]): SQL =>
    sql`select ${inlineWholeNumber(segment)}::integer as segment, ${sql.join(outputs, sql`, `)} from ${from}
      where ${and(where, ...conditions)} order by ${segmentOrder(terms)} limit ${maxRows}`;
  const planned = combinationsOf(parts, { one: scan !== undefined });
  const branches = segments.flatMap((segment, index) =>
    (ranges[index] ?? [undefined]).flatMap((range) => {
      if (planned !== null) return planned.map((equal) => sql`(${rowsOf(index, [...equal, segment, range])})`);
      const values = parts.map((_, at) => aliasOf(`part_${at}`));
      const each = parts.map((part, at) => sql`unnest(${bindAll(part.values, part.type)}) as ${values[at]!}(value)`);
      const equal = parts.map(({ expression }, at) => sql`${expression} = ${values[at]!}.value`);
      const rows = rowsOf(index, [...equal, segment, range]);
      return [sql`(select found.* from ${sql.join(each, sql` cross join `)} cross join lateral (${rows}) found)`];
    }),
  );
  // Without the segment if there is only one. Postgres then merges branches in their order, and stops when the page is full.
  const orderBy = segments.length === 1 ? segmentOrder(keys) : sql`page.segment, ${segmentOrder(keys)}`;
  const keyset = keysetOf(keys);
  const rows = sql`(select * from (${sql.join(branches, sql` union all `)}) page order by ${orderBy} limit ${maxRows}) page`;
  const page =
    scan === undefined
      ? rows
      : sql`(select * from ${rows} where ${scan.matches(sql`page.scanned`)} order by ${orderBy} limit ${inlineWholeNumber(limit)}) page`;
  return { page, id: keys.at(-1)!.expression, orderBy, keyset };
}

/** Returns the conditions of each combination of the parts' values, or null if one plan is for all of them. With `one`, the values of one part are combinations, too. */
function combinationsOf(
  parts: readonly ListPart[],
  { one }: { readonly one: boolean },
): readonly (readonly SQL[])[] | null {
  const count = parts.reduce((product, { values }) => product * values.length, 1);
  if ((parts.length === 1 && !one) || count > maxPlanned) return null;
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
