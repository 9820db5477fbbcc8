import type { RowRequest } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { BoundQuery } from "../database/pg-connection.ts";
import { compileFilters, filteredColumnKeys } from "../relations/compile-filters.ts";
import { domainsRelation } from "../relations/domains-relation.ts";
import { proxiesRelation } from "../relations/proxies-relation.ts";
import { requireRelationColumn, fromClauseOf, orderByOf, type Relation } from "../relations/relation.ts";
import { createViewParameterBinder, selectFromView, createViewRelation } from "../relations/view-relation.ts";
import { compileCondition } from "./compile-condition.ts";

const relationsByName = new Map([proxiesRelation, domainsRelation].map((relation) => [relation.name, relation]));

export interface ReportQueryBuilder {
  readonly relation: Relation;
  /** Returns `select … from … where …` with one output per key, followed by `others`. `alsoUsed` lists further keys whose joins are needed. */
  select(keys: readonly string[], alsoUsed?: readonly string[], others?: readonly SQL[]): SQL;
}

export type FilteredRowRequest = Pick<RowRequest, "definition" | "searchParam" | "timezone">;

type LimitedRows = FilteredRowRequest & Partial<Pick<RowRequest, "sort" | "firstRows">>;

export function createReportQueryBuilder({ firstRows, sort = [], ...rows }: LimitedRows): ReportQueryBuilder {
  const { definition } = rows;
  const relation = relationOf(definition, rows);
  const whole = filteredRelation(relation, rows);
  if (firstRows === undefined) return whole;
  if (definition.rows.kind !== "view") throw new Error("Only the first rows of a view can be read.");
  const order = orderByOf(relation, sort, definition.groupable);
  const limited = selectFromView(
    definition.rows,
    (columns) => sql`${whole.select([], [], [columns])} order by ${order} limit ${firstRows}::integer`,
  );
  // The conditions are repeated outside the limited view, because every report's query has them. They remove no further row.
  return filteredRelation({ ...relation, from: limited }, rows);
}

function filteredRelation(
  relation: Relation,
  { definition, searchParam, timezone }: FilteredRowRequest,
): ReportQueryBuilder {
  const fixed = definition.where.map((condition) => compileCondition(condition, relation));
  const where = sql.join(
    [compileFilters(relation, definition.filters, searchParam, { timezone }), ...fixed],
    sql` and `,
  );
  const filtered = [
    ...filteredColumnKeys(definition.filters, searchParam),
    ...definition.where.map(({ column }) => column),
  ];
  return {
    relation,
    select: (keys, alsoUsed = [], others = []) => {
      const columns = keys.map(
        (key) => sql`${requireRelationColumn(relation, key).expression} as ${toOutputColumn(relation, key)}`,
      );
      const outputs = [...columns, ...others];
      const list = outputs.length === 0 ? sql`` : sql.join(outputs, sql`, `);
      return sql`select ${list} from ${fromClauseOf(relation, [...keys, ...alsoUsed, ...filtered])} where ${where}`;
    },
  };
}

export function toOutputColumn(relation: Relation, key: string): SQL.Aliased {
  return requireRelationColumn(relation, key).expression.as(key);
}

export type SortedRowRequest = FilteredRowRequest & Pick<RowRequest, "columns" | "sort">;

export function buildRowsQuery(request: SortedRowRequest): BoundQuery {
  return toBoundQuery(rowsSelect(request));
}

/** Returns each of the first rows as a JSON array of texts. They equal those of COPY, except that a boolean is a word and not a letter. */
export function buildFirstRowsSelect(request: SortedRowRequest, limit: number): SQL {
  const { relation } = createReportQueryBuilder(request);
  const texts = request.columns.map(({ key }) => sql`${toOutputColumn(relation, key)}::text`);
  return sql`select to_json(array[${sql.join(texts, sql`, `)}])::text as cells from (${rowsSelect(request)} limit ${limit}::integer) shown`;
}

function rowsSelect(request: SortedRowRequest): SQL {
  const { relation, select } = createReportQueryBuilder(request);
  const shown = request.columns.map((column) => column.key);
  const sorted = request.sort.map(({ key }) => key);
  // An additional format can group the row snapshot by its first sort column, so equal values must be adjacent.
  const order = orderByOf(relation, request.sort, request.definition.groupable);
  return sql`${select(shown, sorted)} order by ${order}`;
}

export function buildCountQuery(request: FilteredRowRequest): BoundQuery {
  return toBoundQuery(sql`select count(*) from (${createReportQueryBuilder(request).select([])}) counted`);
}

const dialect = new PgDialect();

/** Renders SQL for drivers other than drizzle's. All values become texts, because only texts can be quoted safely. */
export function toBoundQuery(query: SQL): BoundQuery {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return { text, values: params.map(String) };
}

function relationOf(
  { type, rows }: RowRequest["definition"],
  given: Pick<FilteredRowRequest, "searchParam" | "timezone">,
): Relation {
  if (rows.kind === "view") return createViewRelation(rows, createViewParameterBinder(given));
  const relation = rows.kind === "relation" ? relationsByName.get(rows.relation) : undefined;
  if (relation === undefined)
    throw new Error(`The rows of ${type} come from a relation that does not exist in the inventory.`);
  return relation;
}
