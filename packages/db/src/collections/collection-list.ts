import {
  badCursorError,
  type CollectionPage,
  type CollectionQuery,
  type Filter,
  type KeysetPosition,
} from "@reports/core/query";
import type { ListedRecord } from "@reports/core/record";
import { and, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { selectListOf, type CollectionTableMapping } from "./collection-table.ts";
import type { Queries } from "../database/queries.ts";
import { createTemplateBuilder, runStatementTemplate, type StatementTemplate } from "./statement-template.ts";
import { countListedRows, mapInvalidCursorError } from "../relations/list-page.ts";
import { createRowDecoder } from "./row-decoder.ts";
import {
  compileFilters,
  hasValueDependentSql,
  filteredColumnKeys,
  toFilterValues,
} from "../relations/compile-filters.ts";
import { keysetSegmentConditions, toSortTerms } from "../relations/keyset.ts";
import { buildPageSubquery } from "../relations/page-subquery.ts";
import { bindScalar, castText, fromClauseOf } from "../relations/relation.ts";
import { resolveCursorPosition } from "../relations/resolve-cursor-position.ts";
import { createStatementCache } from "./statement-cache.ts";

export type CollectionListQuery = CollectionQuery & { readonly parentId: string | null };

type PositionedQuery = CollectionListQuery & { readonly after: KeysetPosition | null };

export type CollectionPageReader<Rec> = (
  queries: Queries,
  query: CollectionListQuery,
) => Promise<CollectionPage<ListedRecord<Rec>>>;

export function createCollectionPageReader<Rec>(
  { table, relation, parent }: Pick<CollectionTableMapping, "table" | "relation" | "parent">,
  filters: readonly Filter[],
  fields: Readonly<Record<string, PgColumn>>,
): CollectionPageReader<Rec> {
  const read = createRowDecoder(fields, { timesAsText: true });
  const positionAt = Object.keys(fields).length;
  const byValue = new Set(filters.filter((filter) => hasValueDependentSql(relation, filter)).map(({ name }) => name));
  const statementFor = createStatementCache({ shapeOf, build: buildStatement });

  /** Returns the cache key of the statement. Two queries share a key only if the SQL text is the same and only parameter values differ. */
  function shapeOf({ filters: given, sort, limit, after, parentId }: PositionedQuery): string {
    const used = Object.entries(given).map(([name, value]) => [
      name,
      byValue.has(name) ? value : toFilterValues(value).length,
    ]);
    const order = sort.map(({ key, descending }) => (descending ? `-${key}` : key));
    const position = after?.map((value) => value === null);
    return JSON.stringify([used, order, limit, position, parentId === null]);
  }

  function buildStatement({
    filters: given,
    sort,
    limit,
    after,
    parentId,
  }: PositionedQuery): StatementTemplate<PositionedQuery> {
    const { parameter, build } = createTemplateBuilder<PositionedQuery>();
    const conditions = compileFilters(relation, filters, given, {
      bindValue: (name, index, _value, type, convert) =>
        castText(
          parameter((query) => convert(String(toFilterValues(query.filters[name]!)[index]))),
          type,
        ),
    });
    const within =
      parent === undefined || parentId === null
        ? undefined
        : sql`${parent.column} = ${castText(
            parameter((query) => query.parentId!),
            "uuid",
          )}`;
    const terms = toSortTerms(relation, sort);
    const segments = keysetSegmentConditions(terms, after, (index, _value, type) =>
      castText(
        parameter((query) => String(query.after![index])),
        type,
      ),
    );
    if (segments === null) throw badCursorError();
    const from = fromClauseOf(relation, [...filteredColumnKeys(filters, given), ...sort.map(({ key }) => key)]);
    const where = and(conditions, within);
    const { page, id, orderBy, keyset } = buildPageSubquery({
      from,
      where,
      parts: [],
      terms,
      segments,
      limit: limit + 1,
    });
    return build(
      sql`select ${selectListOf(fields)}, ${keyset}::text as position from ${table} inner join ${page} on ${table.id} = ${id} order by ${orderBy}`,
    );
  }

  function withinNow(parentId: string | null): SQL | undefined {
    return parent === undefined || parentId === null
      ? undefined
      : sql`${parent.column} = ${bindScalar(parentId, "uuid")}`;
  }

  return async (queries, request) => {
    const within = withinNow(request.parentId);
    const after = await mapInvalidCursorError(
      resolveCursorPosition(queries, { relation, within }, request),
      request.after,
    );
    const query = { ...request, after };
    const { limit } = query;
    // The number of values in a cursor is part of the cache key. Forged cursors of other lengths would fill the cache.
    if (after !== null && after.length !== query.sort.length + 1) throw badCursorError();
    const { statement, prepared } = statementFor(query);
    const rows = await mapInvalidCursorError(runStatementTemplate(queries, statement, query, { prepared }), after);
    const last = rows.length > limit ? rows[limit - 1]! : null;
    return {
      items: rows.slice(0, limit).map((row) => read(row) as ListedRecord<Rec>),
      next: last === null ? null : (JSON.parse(last[positionAt] as string) as KeysetPosition),
      total: await countListedRows(queries, { relation, filters, within }, query),
    };
  };
}
