import {
  DomainError,
  type CollectionPage,
  type CollectionQuery,
  type Filter,
  type KeysetPosition,
} from "@reports/core";
import { and, type SQL } from "drizzle-orm";
import { compileFilters } from "./relations/compile-filters.ts";
import { keysetOf, segmentsAfter } from "./relations/keyset.ts";
import { orderOf, type Relation } from "./relations/relation.ts";
import { codeOf } from "./store-error.ts";

/** How rows of a list are had. */
export interface ListSource<Row> {
  readonly relation: Relation;
  readonly filters: readonly Filter[];
  /** What holds of every row of the list, beside the filters. */
  readonly within?: SQL | undefined;
  rows(part: {
    readonly where: SQL | undefined;
    readonly orderBy: SQL;
    readonly limit: number;
    readonly keyset: SQL<(string | null)[]>;
  }): Promise<readonly { readonly row: Row; readonly keyset: KeysetPosition }[]>;
  count(where: SQL | undefined): Promise<number>;
}

/** Reads one page by its keyset: as fast at the end of a list as at its beginning, where an index has the order. */
export async function listPage<Row>(
  source: ListSource<Row>,
  { filters, sort, limit, after, count }: CollectionQuery,
): Promise<CollectionPage<Row>> {
  const where = and(compileFilters(source.relation, source.filters, filters), source.within);
  const segments = segmentsAfter(source.relation, sort, after);
  if (segments === null) throw badCursor();
  const found: { row: Row; keyset: KeysetPosition }[] = [];
  for (const segment of segments) {
    const part = {
      where: and(where, segment),
      orderBy: orderOf(source.relation, sort),
      limit: limit + 1 - found.length,
      keyset: keysetOf(source.relation, sort),
    };
    found.push(...(await refusingPosition(source.rows(part), after)));
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  return {
    items: page.map(({ row }) => row),
    next: found.length > limit ? page.at(-1)!.keyset : null,
    total: count ? await source.count(where) : null,
  };
}

/** Filters were checked before; a value that Postgres cannot read (SQLSTATE class 22) then stands in the position. */
async function refusingPosition<T>(rows: Promise<T>, after: KeysetPosition | null): Promise<T> {
  try {
    return await rows;
  } catch (error) {
    throw after !== null && codeOf(error)?.startsWith("22") === true ? badCursor() : error;
  }
}

function badCursor(): DomainError {
  return new DomainError("bad-request", "bad-cursor", "The cursor does not belong to this list. Begin without one.", {
    issues: [{ parameter: "cursor", code: "bad_cursor", message: "The cursor does not belong to this list." }],
  });
}
