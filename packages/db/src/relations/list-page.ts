import {
  badCursorError,
  maxExactRecordCount,
  type CollectionPage,
  type CollectionQuery,
  type Filter,
  type KeysetPosition,
} from "@reports/core/query";
import { and, sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { compileFilters, filteredColumnKeys } from "./compile-filters.ts";
import { keysetSegmentConditions, toSortTerms } from "./keyset.ts";
import { buildPageSubquery, type ListPartition, type BoundedSearch, type PageSubquery } from "./page-subquery.ts";
import { bindArray, fromClauseOf } from "./relation.ts";
import { resolveCursorPosition, type CursorRecordScope } from "./resolve-cursor-position.ts";
import { firstErrorCodeOf } from "../database/store-error.ts";

/**
 * Splits the list by conditions of partial indexes. A row with a first sort value meets exactly one of `ofValues`; any other row, one of `ofNulls`.
 */
export interface ListRangeConditions {
  readonly ofValues: readonly SQL[];
  readonly ofNulls?: readonly SQL[];
}

export interface PagedListDefinition<Row> extends CursorRecordScope {
  readonly filters: readonly Filter[];
  readonly parts?: readonly ListPartition[];
  readonly ranges?: ListRangeConditions | undefined;
  readonly scan?: BoundedSearch;
  rows(statement: PageSubquery): Promise<readonly { readonly row: Row; readonly keyset: KeysetPosition }[]>;
}

/** Reads one page after a cursor's position. If an index has the order of the sort, the last page of a list is as fast as the first. */
export async function readListPage<Row>(
  queries: Queries,
  source: PagedListDefinition<Row>,
  query: CollectionQuery,
): Promise<CollectionPage<Row>> {
  const { relation, filters, within, parts = [], ranges, scan, rows } = source;
  const { filters: given, sort, limit } = query;
  const after = await mapInvalidCursorError(resolveCursorPosition(queries, source, query), query.after);
  const where = and(compileFilters(relation, filters, given), within);
  const terms = toSortTerms(relation, sort);
  const segments = keysetSegmentConditions(terms, after);
  if (segments === null) throw badCursorError();
  const filtered = filteredColumnKeys(filters, given);
  const from = fromClauseOf(relation, [...filtered, ...sort.map(({ key }) => key)]);
  const statement = buildPageSubquery({
    from,
    where,
    parts,
    terms,
    segments,
    ranges: after?.[0] === null ? [ranges?.ofNulls] : [ranges?.ofValues, ranges?.ofNulls],
    scan,
    limit: limit + 1,
  });
  const found = await mapInvalidCursorError(rows(statement), after);
  const page = found.slice(0, limit);
  return {
    items: page.map(({ row }) => row),
    next: found.length > limit ? page.at(-1)!.keyset : null,
    total: await countListedRows(queries, source, query),
  };
}

export async function countListedRows(
  queries: Queries,
  { relation, filters, within, parts = [] }: Omit<PagedListDefinition<unknown>, "rows">,
  { filters: given, count }: Pick<CollectionQuery, "filters" | "count">,
): Promise<number | null> {
  if (!count) return null;
  const where = and(compileFilters(relation, filters, given), within, ...parts.map(partCondition));
  const from = fromClauseOf(relation, filteredColumnKeys(filters, given));
  const [row] = await queries.execute<{ count: string }>(
    sql`select count(*) from (select from ${from} where ${where} limit ${maxExactRecordCount + 1}) counted`,
  );
  return Number(row!.count);
}

function partCondition({ expression, type, values }: ListPartition): SQL {
  return sql`${expression} = any (${bindArray(values, type)})`;
}

/** Rejects with an invalid cursor's error if Postgres refuses a value (SQLSTATE class 22), because filter values were checked before. */
export async function mapInvalidCursorError<T>(rows: Promise<T>, after: CollectionQuery["after"]): Promise<T> {
  try {
    return await rows;
  } catch (error) {
    throw after !== null && firstErrorCodeOf(error)?.startsWith("22") === true ? badCursorError() : error;
  }
}
