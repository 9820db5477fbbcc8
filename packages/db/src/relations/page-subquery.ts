import { and, sql, type SQL } from "drizzle-orm";
import { keysetSegmentOrderBy, type SortTerm } from "./keyset.ts";
import { bindScalar, bindArray, joinByComma, type SqlScalarType } from "./relation.ts";

/** A condition that every listed row meets: `expression` equals one of `values`. The rows of each value are read separately. */
export interface ListPartition {
  readonly expression: SQL;
  readonly type: SqlScalarType;
  readonly values: readonly string[];
}

/** A search among the first `rows` rows of a list. Until a row matches, Postgres reads only its sort values and `column`. */
export interface BoundedSearch {
  readonly rows: number;
  readonly column: SQL;
  matches(value: SQL): SQL;
}

export interface PageSubqueryParts {
  readonly from: SQL;
  readonly where: SQL | undefined;
  readonly parts: readonly ListPartition[];
  readonly terms: readonly SortTerm[];
  readonly segments: readonly (SQL | undefined)[];
  readonly ranges?: readonly (readonly SQL[] | undefined)[];
  readonly scan?: BoundedSearch | undefined;
  readonly limit: number;
}

export interface PageSubquery {
  readonly page: SQL;
  readonly id: SQL;
  readonly orderBy: SQL;
  readonly keyset: SQL<(string | null)[]>;
}

/**
 * Maximum number of combinations of values that get a separate branch each. Planning a branch takes 0.1 ms per segment. If there are more
 * combinations, one branch reads all of them.
 */
export const maxPartitionCombinations = 16;

/**
 * Returns the SQL of a page as one subquery, so that all rows come from the same snapshot. Each segment is a branch of a `union all`. Each
 * combination of values of the `parts` is read separately, at most `limit` rows per combination and segment. With one part and no `scan`, one
 * branch reads all values, because an index begins with the part's expression. With several parts, each combination has its own branch, because
 * the best index depends on how common the values are. Above `maxPartitionCombinations`, one branch reads all combinations.
 */
export function buildPageSubquery(request: PageSubqueryParts): PageSubquery {
  const { from, where, parts, terms, segments, ranges = [], scan, limit } = request;
  // The limit is part of the SQL text and not a parameter, so that Postgres plans for few rows.
  const maxRows = inlineWholeNumber(scan?.rows ?? limit);
  const keys = terms.map((term, index) => ({ ...term, expression: sql`page.${aliasOf(`key_${index}`)}` }));
  const outputs = [
    ...terms.map(({ expression }, index) => sql`${expression} as ${aliasOf(`key_${index}`)}`),
    ...(scan === undefined ? [] : [sql`${scan.column} as scanned`]),
  ];
  const rowsOf = (segment: number, conditions: readonly (SQL | undefined)[]): SQL =>
    sql`select ${inlineWholeNumber(segment)}::integer as segment, ${sql.join(outputs, sql`, `)} from ${from}
      where ${and(where, ...conditions)} order by ${keysetSegmentOrderBy(terms)} limit ${maxRows}`;
  const planned = combinationsOf(parts, { one: scan !== undefined });
  const branches = segments.flatMap((segment, index) =>
    (ranges[index] ?? [undefined]).flatMap((range) => {
      if (planned !== null) return planned.map((equal) => sql`(${rowsOf(index, [...equal, segment, range])})`);
      const values = parts.map((_, at) => aliasOf(`part_${at}`));
      const each = parts.map((part, at) => sql`unnest(${bindArray(part.values, part.type)}) as ${values[at]!}(value)`);
      const equal = parts.map(({ expression }, at) => sql`${expression} = ${values[at]!}.value`);
      const rows = rowsOf(index, [...equal, segment, range]);
      return [sql`(select found.* from ${sql.join(each, sql` cross join `)} cross join lateral (${rows}) found)`];
    }),
  );
  // With one segment, ORDER BY omits `segment`, so that Postgres merges the sorted branches and stops when the page is full.
  const orderBy = segments.length === 1 ? keysetSegmentOrderBy(keys) : sql`page.segment, ${keysetSegmentOrderBy(keys)}`;
  const keyset = keysetSql(keys);
  const rows = sql`(select * from (${sql.join(branches, sql` union all `)}) page order by ${orderBy} limit ${maxRows}) page`;
  const page =
    scan === undefined
      ? rows
      : sql`(select * from ${rows} where ${scan.matches(sql`page.scanned`)} order by ${orderBy} limit ${inlineWholeNumber(limit)}) page`;
  return { page, id: keys.at(-1)!.expression, orderBy, keyset };
}

/**
 * Returns the conditions of each combination of values. Returns null for a single part unless `one` is set, and above the maximum. One subquery
 * then reads all combinations.
 */
function combinationsOf(
  parts: readonly ListPartition[],
  { one }: { readonly one: boolean },
): readonly (readonly SQL[])[] | null {
  const count = parts.reduce((product, { values }) => product * values.length, 1);
  if ((parts.length === 1 && !one) || count > maxPartitionCombinations) return null;
  return parts.reduce<readonly (readonly SQL[])[]>(
    (combinations, { expression, type, values }) =>
      combinations.flatMap((equal) =>
        values.map((value) => [...equal, sql`${expression} = ${bindScalar(value, type)}`]),
      ),
    [[]],
  );
}

export function keysetSql(terms: readonly Pick<SortTerm, "expression">[]): SQL<(string | null)[]> {
  // The driver postgres.js returns a null inside an array as the text "NULL". JSON keeps nulls.
  return sql<
    (string | null)[]
  >`json_build_array(${joinByComma(terms.map(({ expression }) => sql`(${expression})::text`))})`;
}

function inlineWholeNumber(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error("Only whole numbers can be written into a statement.");
  // oxlint-disable-next-line no-restricted-properties -- digits need no quotes
  return sql.raw(String(value));
}

function aliasOf(name: string): SQL.Aliased {
  return sql``.as(name);
}
