import {
  createFigure,
  isAdditiveAggregate,
  isCountAggregate,
  toOmittedLabel,
  parseBarValues,
  parseOmittedValue,
  type Aggregate,
  type AttentionList,
  type AttentionDefinition,
  type Chart,
  type ChartDefinition,
  type Condition,
  type ReportSummary,
  type ReportTypeDefinition,
  createValueToneSelector,
} from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { joinByComma, requireRelationColumn, orderByOf, type Relation } from "../relations/relation.ts";
import type { BoundQuery, TextRow } from "../database/pg-connection.ts";
import { compileCondition, type ConditionSqlBuilder } from "./compile-condition.ts";
import {
  toOutputColumn,
  createReportQueryBuilder,
  toBoundQuery,
  type FilteredRowRequest,
  type ReportQueryBuilder,
} from "./report-query.ts";

type ChartPoints = Chart["points"];

type ResultRows = readonly TextRow[];

export interface SummaryQueries {
  readonly queries: readonly BoundQuery[];
  /** One result per query, as for a report without rows. */
  readonly emptyResults: readonly ResultRows[];
  read(results: readonly ResultRows[]): ReportSummary;
}

export const noSummaryQueries: SummaryQueries = {
  queries: [],
  emptyResults: [],
  read: () => ({ figures: [], charts: [], attention: null }),
};

export function buildSummaryQueries(request: FilteredRowRequest): SummaryQueries {
  const { definition } = request;
  const rows = createReportQueryBuilder(request);
  const { figures, charts, attention } = definition.summary;
  const asked = new QueryList();
  const totals = new TotalsQuery(rows);
  const readFigures = figures.map((figure) => totals.add(figure.aggregate, []));
  const readParts = charts.map((chart) => addFixedParts(totals, chart));
  const readTotal = attention && totals.add({ kind: "count", where: attention.where }, []);
  const readTotals = totals.addTo(asked);
  const readCharts = charts.map((chart, index) => {
    const parts = readParts[index];
    if (parts === undefined) return addTopCategories(asked, definition, rows, chart);
    return (results: readonly ResultRows[]) => ({ points: parts(readTotals(results)), omitted: [] });
  });
  const readAttention = attention && addAttention(asked, definition, rows, attention);
  return {
    queries: asked.queries,
    emptyResults: asked.emptyResults,
    read: (results) => {
      const values = readTotals(results);
      return {
        figures: figures.map((figure, index) => createFigure(figure, readFigures[index]!(values))),
        charts: charts.map((chart, index) => ({
          key: chart.key,
          title: chart.title,
          series: seriesOf(chart),
          ...readCharts[index]!(results),
        })),
        attention: readAttention?.(results, Number(readTotal!(values))) ?? null,
      };
    },
  };
}

class QueryList {
  readonly queries: BoundQuery[] = [];
  readonly emptyResults: ResultRows[] = [];

  add(query: SQL, emptyResult: ResultRows = []): (results: readonly ResultRows[]) => ResultRows {
    this.emptyResults.push(emptyResult);
    const index = this.queries.push(toBoundQuery(query)) - 1;
    return (results) => results[index]!;
  }
}

class TotalsQuery {
  readonly #inner: InnerQuery;
  readonly #outputs: SQL[] = [];
  readonly #empty: (string | null)[] = [];

  constructor(rows: ReportQueryBuilder) {
    this.#inner = new InnerQuery(rows);
  }

  add(aggregate: Aggregate, conditions: readonly Condition[]): (row: TextRow) => string | null {
    const index = this.#outputs.push(aggregateOf(this.#inner, aggregate, conditions)) - 1;
    this.#empty.push(isCountAggregate(aggregate) ? "0" : null);
    return (row) => row[index] ?? null;
  }

  addTo(asked: QueryList): (results: readonly ResultRows[]) => TextRow {
    if (this.#outputs.length === 0) return () => [];
    const query = sql`select ${joinByComma(this.#outputs)} from (${this.#inner.select()} ${preventInlining}) counted`;
    const read = asked.add(query, [this.#empty]);
    return (results) => read(results)[0]!;
  }
}

/** The subquery from which a query computes aggregates. It outputs the columns that they use, and a boolean per test of an array column. */
class InnerQuery implements ConditionSqlBuilder {
  readonly relation: Relation;
  readonly #rows: ReportQueryBuilder;
  readonly #keys = new Set<string>();
  readonly #held: { readonly key: string; readonly output: SQL }[] = [];

  constructor(rows: ReportQueryBuilder) {
    this.relation = rows.relation;
    this.#rows = rows;
  }

  column(key: string): SQL {
    this.#keys.add(key);
    return sql`${toOutputColumn(this.relation, key)}`;
  }

  holds(key: string, condition: SQL): SQL {
    // No column key contains a space, so the name can't equal one.
    const name = condition.as(`held ${this.#held.length}`);
    this.#held.push({ key, output: sql`${condition} as ${name}` });
    return sql`${name}`;
  }

  select(): SQL {
    const keys = this.#held.map(({ key }) => key);
    const outputs = this.#held.map(({ output }) => output);
    return this.#rows.select([...this.#keys], keys, outputs);
  }
}

/**
 * With OFFSET, the planner computes each expression of the subquery once per row, and not once per condition. The quotes make the constant a bigint,
 * because a cast from integer would rule out parallel workers.
 */
const preventInlining = sql`offset '0'`;

function addFixedParts(totals: TotalsQuery, chart: ChartDefinition): ((row: TextRow) => ChartPoints) | undefined {
  const { categories, measure, series } = chart;
  if (!("parts" in categories)) return undefined;
  const splits = series?.map((part) => [part.where]) ?? [[]];
  const readers = categories.parts.map((part) => splits.map((split) => totals.add(measure, [part.where, ...split])));
  return (row) =>
    categories.parts.map(({ label, tone = "neutral" }, index) => ({
      label,
      tone,
      ...parseBarValues(readers[index]!.map((read) => read(row))),
    }));
}

function seriesOf({ title, series = [] }: ChartDefinition): Chart["series"] {
  if (series.length === 0) return [{ label: title, tone: "neutral" }];
  return series.map(({ label, tone = "neutral" }) => ({ label, tone }));
}

/** Adds the query for a chart's largest categories. The other categories and the rows without a value become `omitted`. */
function addTopCategories(
  asked: QueryList,
  definition: ReportTypeDefinition,
  rows: ReportQueryBuilder,
  chart: ChartDefinition,
): (results: readonly ResultRows[]) => Pick<Chart, "points" | "omitted"> {
  if (!("column" in chart.categories)) return () => ({ points: [], omitted: [] });
  const { column, top } = chart.categories;
  const inner = new InnerQuery(rows);
  const value = inner.column(column);
  const measures = measuresOf(inner, chart);
  const total = aggregateOf(inner, chart.measure, []);
  const { type } = requireRelationColumn(rows.relation, column);
  const isList = type === "text[]";
  const unnested = isList ? sql` left join lateral unnest(${value}) as item on true` : sql``;
  // Rank 0 contains rows without a value, ranks 1 to `top` are bars, and rank `top` + 1 contains all other categories.
  const place = sql`case when label is null then 0
    else least(row_number() over (order by label is null, total desc nulls last, label), ${top + 1}::integer) end`;
  const names = measures.map((measure, index) => measure.as(`m${index}`));
  const read = asked.add(sql`
    select place, (array_agg(label))[1], count(*), sum(total), ${joinByComma(names.map((name) => sql`sum(${name})`))}
      from (select *, ${place} as place from (
        select ${isList ? sql`item` : value} as label, ${total} as total, ${joinByComma(measures.map((measure, index) => sql`${measure} as ${names[index]!}`))}
        from (${inner.select()}) counted${unnested} group by 1) grouped) placed
      group by place order by place`);
  const shown = definition.columns.find(({ key }) => key === column);
  const title = shown?.title ?? column;
  const toneOf = createValueToneSelector(shown ?? {});
  const addsUp = isAdditiveAggregate(chart.measure);
  return (results) => {
    const points: Chart["points"][number][] = [];
    const omitted: Chart["omitted"][number][] = [];
    for (const [at, text, categories, sum, ...values] of read(results)) {
      const place = Number(at);
      const label = toOmittedLabel(
        place === 0
          ? { kind: type === "boolean" ? "notKnown" : "withoutValue" }
          : { kind: "others", count: Number(categories) },
        title,
      );
      if (place === 0 || place > top)
        omitted.push({ label, ...(addsUp || place === 0 ? parseOmittedValue(sum ?? null) : { value: null }) });
      else {
        const tone = toneOf(text!) ?? "neutral";
        points.push({ label: text!, tone, ...parseBarValues(values) });
      }
    }
    return { points, omitted };
  };
}

function addAttention(
  asked: QueryList,
  definition: ReportTypeDefinition,
  rows: ReportQueryBuilder,
  { title, columns, where, sort, limit }: AttentionDefinition,
): (results: readonly ResultRows[], total: number) => AttentionList {
  const condition = compileCondition(where, rows.relation);
  const alsoUsed = [where.column, ...sort.map(({ key }) => key)];
  const read = asked.add(
    sql`${rows.select(columns, alsoUsed)} and ${condition} order by ${orderByOf(rows.relation, sort)} limit ${limit}::integer`,
  );
  return (results, total) => ({
    title,
    columns: columns.map((key) => definition.columns.find((column) => column.key === key)!),
    rows: read(results),
    total,
  });
}

function measuresOf(inner: InnerQuery, { series, measure }: ChartDefinition): SQL[] {
  const splits = series?.map((part) => [part.where]) ?? [[]];
  return splits.map((conditions) => aggregateOf(inner, measure, conditions));
}

const columnFunctions = { sum: sql`sum`, min: sql`min`, max: sql`max` } as const;

function aggregateOf(inner: InnerQuery, aggregate: Aggregate, conditions: readonly Condition[]): SQL {
  const where = [...conditions, ...("where" in aggregate && aggregate.where ? [aggregate.where] : [])];
  const filter = (more: readonly SQL[] = []): SQL => {
    const all = [...where.map((condition) => compileCondition(condition, inner.relation, inner)), ...more];
    return all.length === 0 ? sql`` : sql` filter (where ${sql.join(all, sql` and `)})`;
  };
  switch (aggregate.kind) {
    case "count":
      return sql`count(*)${filter()}`;
    case "sum":
    case "min":
    case "max":
      return sql`${columnFunctions[aggregate.kind]}(${inner.column(aggregate.column)})${filter()}`;
    case "avg":
      return sql`round((avg(${inner.column(aggregate.column)})${filter()})::numeric, 6)`;
    case "distinct":
      return sql`count(distinct ${inner.column(aggregate.column)})${filter()}`;
    case "weighted-mean": {
      const value = inner.column(aggregate.column);
      const weight = inner.column(aggregate.weight);
      return sql`round((sum(${value}::numeric * ${weight})${filter()} / nullif(sum(${weight})${filter([sql`${value} is not null`])}, 0))::numeric, 6)`;
    }
  }
}
