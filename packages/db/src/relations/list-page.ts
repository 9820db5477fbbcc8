import {
  badCursor,
  maxExactCount,
  type CollectionPage,
  type CollectionQuery,
  type Filter,
  type KeysetPosition,
} from "@reports/core/query";
import { and, sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { compileFilters, filteredColumns } from "./compile-filters.ts";
import { segmentsAfter, termsOf } from "./keyset.ts";
import { pageStatement, type ListPart, type PageStatement } from "./page-statement.ts";
import { bindAll, fromOf } from "./relation.ts";
import { wholePosition, type AnchorSource } from "./whole-position.ts";
import { codeOf } from "../database/store-error.ts";

/** How rows of a list are had. */
export interface ListSource<Row> extends AnchorSource {
  readonly filters: readonly Filter[];
  /** What holds too, and leads an index. */
  readonly parts?: readonly ListPart[];
  /** The whole rows of a page, in its order. */
  rows(statement: PageStatement): Promise<readonly { readonly row: Row; readonly keyset: KeysetPosition }[]>;
}

/** Reads one page by its keyset: as fast at the end of a list as at its beginning, where an index has the order. */
export async function listPage<Row>(
  queries: Queries,
  source: ListSource<Row>,
  query: CollectionQuery,
): Promise<CollectionPage<Row>> {
  const { relation, filters, within, parts = [], rows } = source;
  const { filters: given, sort, limit } = query;
  const after = await refusingPosition(wholePosition(queries, source, query), query.after);
  const where = and(compileFilters(relation, filters, given), within);
  const terms = termsOf(relation, sort);
  const segments = segmentsAfter(terms, after);
  if (segments === null) throw badCursor();
  const filtered = filteredColumns(filters, given);
  const from = fromOf(relation, [...filtered, ...sort.map(({ key }) => key)]);
  const statement = pageStatement({ from, where, parts, terms, segments, limit: limit + 1 });
  const found = await refusingPosition(rows(statement), after);
  const page = found.slice(0, limit);
  return {
    items: page.map(({ row }) => row),
    next: found.length > limit ? page.at(-1)!.keyset : null,
    total: await countList(queries, source, query),
  };
}

/** How many rows the whole list has, as far as they are counted; null when that was not asked. */
export async function countList(
  queries: Queries,
  { relation, filters, within, parts = [] }: Omit<ListSource<unknown>, "rows">,
  { filters: given, count }: Pick<CollectionQuery, "filters" | "count">,
): Promise<number | null> {
  if (!count) return null;
  const where = and(compileFilters(relation, filters, given), within, ...parts.map(isPart));
  return countRows(queries, fromOf(relation, filteredColumns(filters, given)), where);
}

/** Stops one row beyond those that are counted exactly. */
async function countRows(queries: Queries, from: SQL, where: SQL | undefined): Promise<number> {
  const [row] = await queries.execute<{ count: string }>(
    sql`select count(*) from (select from ${from} where ${where} limit ${maxExactCount + 1}) counted`,
  );
  return Number(row!.count);
}

function isPart({ expression, type, values }: ListPart): SQL {
  return sql`${expression} = any (${bindAll(values, type)})`;
}

/** Filters were checked before; a value that Postgres cannot read (SQLSTATE class 22) then stands in the position. */
export async function refusingPosition<T>(rows: Promise<T>, after: CollectionQuery["after"]): Promise<T> {
  try {
    return await rows;
  } catch (error) {
    throw after !== null && codeOf(error)?.startsWith("22") === true ? badCursor() : error;
  }
}
