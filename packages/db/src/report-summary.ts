import type {
  Aggregate,
  Attention,
  AttentionDefinition,
  Chart,
  ChartDefinition,
  ChartPart,
  Condition,
  Figure,
  ReportSummary,
  ReportTypeDefinition,
  RowRequest,
} from "@reports/core";
import { sql, type SQL } from "drizzle-orm";
import type pg from "pg";
import { bind, bindTexts, columnOf, orderOf, type Relation } from "./relations/relation.ts";
import { readTexts } from "./report-connection.ts";
import { outputOf, reportRelationOf, toBound, type ReportRelation } from "./report-query.ts";

/** What a type without figures shows. */
export const emptySummary: ReportSummary = { figures: [], charts: [], attention: null };

type Request = Pick<RowRequest, "definition" | "searchParam">;
type Points = Chart["points"];

/** Computes a report's figures, charts and attention list over the same filtered rows, on the connection that holds the snapshot. */
export async function readSummary(client: pg.Client, request: Request): Promise<ReportSummary> {
  const { definition } = request;
  const rows = reportRelationOf(request);
  const charts: Chart[] = [];
  for (const chart of definition.summary.charts) charts.push(await readChart(client, definition, rows, chart));
  const { attention } = definition.summary;
  return {
    figures: await readFigures(client, definition, rows),
    charts,
    attention: attention === undefined ? null : await readAttention(client, definition, rows, attention),
  };
}

async function readFigures(
  client: pg.Client,
  definition: ReportTypeDefinition,
  rows: ReportRelation,
): Promise<Figure[]> {
  const { figures } = definition.summary;
  if (figures.length === 0) return [];
  const used = new Set<string>();
  const values = figures.map((figure) => aggregateOf(rows.relation, figure.aggregate, [], used));
  const [row] = await readTexts(client, toBound(sql`select ${list(values)} from (${rows.select([...used])}) counted`));
  return figures.map(({ key, title, kind, tone = "neutral" }, index) => ({
    key,
    title,
    kind,
    tone,
    value: row![index]!,
  }));
}

async function readChart(
  client: pg.Client,
  definition: ReportTypeDefinition,
  rows: ReportRelation,
  chart: ChartDefinition,
): Promise<Chart> {
  const { key, title, series = [], categories } = chart;
  const points =
    "parts" in categories
      ? await readParts(client, rows, chart, categories.parts)
      : await readTop(client, definition, rows, chart, categories);
  return {
    key,
    title,
    series:
      series.length === 0
        ? [{ label: title, tone: "neutral" }]
        : series.map(({ label, tone = "neutral" }) => ({ label, tone })),
    points,
  };
}

/** One pass over the rows counts every part. */
async function readParts(
  client: pg.Client,
  rows: ReportRelation,
  chart: ChartDefinition,
  parts: readonly ChartPart[],
): Promise<Points> {
  const used = new Set<string>();
  const groups = parts.map((part) => measuresOf(rows.relation, chart, [part.where], used));
  if (groups.length === 0) return [];
  const [row] = await readTexts(
    client,
    toBound(sql`select ${list(groups.flat())} from (${rows.select([...used])}) counted`),
  );
  const width = groups[0]!.length;
  return parts.map(({ label, tone = "neutral" }, index) => ({
    label,
    tone,
    values: row!.slice(index * width, (index + 1) * width).map(Number),
  }));
}

/** The categories with the largest measure. Rows without a value are no category. */
async function readTop(
  client: pg.Client,
  definition: ReportTypeDefinition,
  rows: ReportRelation,
  chart: ChartDefinition,
  { column, top }: { readonly column: string; readonly top: number },
): Promise<Points> {
  const used = new Set([column]);
  const measures = measuresOf(rows.relation, chart, [], used);
  const total = aggregateOf(rows.relation, chart.measure, [], used);
  const value = sql`${outputOf(rows.relation, column)}`;
  const isList = columnOf(rows.relation, column).type === "text[]";
  const label = isList ? sql`label` : value;
  const unnested = isList ? sql`, unnest(${value}) as label` : sql``;
  const found = await readTexts(
    client,
    toBound(sql`select ${label}, ${list(measures)} from (${rows.select([...used])}) counted${unnested}
      where ${label} is not null group by ${label} order by ${total} desc nulls last, ${label} limit ${top}::integer`),
  );
  const tones = definition.columns.find(({ key }) => key === column)?.tones ?? {};
  return found.map(([text, ...values]) => ({
    label: text!,
    tone: Object.hasOwn(tones, text!) ? tones[text!]! : "neutral",
    values: values.map(Number),
  }));
}

async function readAttention(
  client: pg.Client,
  definition: ReportTypeDefinition,
  rows: ReportRelation,
  attention: AttentionDefinition,
): Promise<Attention> {
  const { title, columns, where, sort, limit } = attention;
  const condition = conditionOf(where, (key) => columnOf(rows.relation, key).expression, rows.relation);
  const alsoUsed = [where.column, ...sort.map(({ key }) => key)];
  const shown = await readTexts(
    client,
    toBound(
      sql`${rows.select(columns, alsoUsed)} and ${condition} order by ${orderOf(rows.relation, sort)} limit ${limit}::integer`,
    ),
  );
  const [counted] = await readTexts(
    client,
    toBound(sql`select count(*) from (${rows.select([], alsoUsed)} and ${condition}) counted`),
  );
  return {
    title,
    columns: columns.map((key) => definition.columns.find((column) => column.key === key)!),
    rows: shown,
    total: Number(counted![0]),
  };
}

/** The measure once a series, or once. Nothing to add up is a bar of length 0. */
function measuresOf(
  relation: Relation,
  chart: ChartDefinition,
  conditions: readonly Condition[],
  used: Set<string>,
): SQL[] {
  const splits = chart.series?.map((part) => [...conditions, part.where]) ?? [conditions];
  return splits.map((all) => sql`coalesce(${aggregateOf(relation, chart.measure, all, used)}, 0)`);
}

/** An aggregate over the output columns of `select`, all of whose names it adds to `used`. */
function aggregateOf(
  relation: Relation,
  aggregate: Aggregate,
  conditions: readonly Condition[],
  used: Set<string>,
): SQL {
  const output = (key: string): SQL => {
    used.add(key);
    return sql`${outputOf(relation, key)}`;
  };
  const where = [...conditions, ...("where" in aggregate && aggregate.where ? [aggregate.where] : [])];
  const filter = (more: readonly SQL[] = []): SQL => {
    const all = [...where.map((condition) => conditionOf(condition, output, relation)), ...more];
    return all.length === 0 ? sql`` : sql` filter (where ${sql.join(all, sql` and `)})`;
  };
  switch (aggregate.kind) {
    case "count":
      return sql`count(*)${filter()}`;
    case "sum":
      return sql`sum(${output(aggregate.column)})${filter()}`;
    case "weighted-mean": {
      const value = output(aggregate.column);
      const weight = output(aggregate.weight);
      return sql`round((sum(${value} * ${weight})${filter()} / nullif(sum(${weight})${filter([sql`${value} is not null`])}, 0))::numeric, 6)`;
    }
  }
}

function conditionOf(condition: Condition, expressionOf: (key: string) => SQL, relation: Relation): SQL {
  const expression = expressionOf(condition.column);
  const { type } = columnOf(relation, condition.column);
  const parts: SQL[] = [];
  if (condition.in !== undefined) {
    parts.push(
      type === "text[]"
        ? sql`${expression} && ${bindTexts(condition.in)}`
        : sql`${expression}::text = any(${bindTexts(condition.in)})`,
    );
  }
  if (condition.atLeast !== undefined) parts.push(sql`${expression} >= ${bind(condition.atLeast, "numeric")}`);
  if (condition.below !== undefined) parts.push(sql`${expression} < ${bind(condition.below, "numeric")}`);
  if (condition.isNull !== undefined)
    parts.push(condition.isNull ? sql`${expression} is null` : sql`${expression} is not null`);
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`;
}

function list(expressions: readonly SQL[]): SQL {
  return sql.join([...expressions], sql`, `);
}
