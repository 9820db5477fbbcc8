import {
  addExact,
  parseBarValues,
  compareCells,
  compareExact,
  formatExactNumber,
  isAdditiveAggregate,
  toOmittedLabel,
  parseOmittedValue,
  parseExactNumber,
  type Chart,
  type ChartDefinition,
  type Condition,
  type ObjectCell,
  type RowWithCells,
  type ReportColumn,
  createValueToneSelector,
} from "@reports/core/report";
import { createAggregateFold, type AggregateFold } from "./fold-aggregate.ts";
import type { FoldedValueBudget } from "./folded-value-budget.ts";
import { toEqualityKey } from "./to-equality-key.ts";

/** Limits on the number of categories of a chart, and on the characters of their values. Above a limit, the chart shows no categories. */
const maxCategories = 10_000;
const maxCategoryCharacters = 4_000_000;

export interface ChartFold {
  add(row: RowWithCells): void;
  chart(): Chart;
}

interface FoldSetting {
  readonly columns: readonly ReportColumn[];
  readonly budget: FoldedValueBudget;
}

export function createChartFold(definition: ChartDefinition, setting: FoldSetting): ChartFold {
  const { key, title, categories } = definition;
  const series = chartSeries(definition);
  const bars =
    "parts" in categories ? createPartsFold(definition, setting) : createLargestFold(definition, categories, setting);
  return { add: bars.add, chart: () => ({ key, title, series, ...bars.result() }) };
}

interface BarsFold {
  add(row: RowWithCells): void;
  result(): Pick<Chart, "points" | "omitted">;
}

function createPartsFold({ categories, measure, series }: ChartDefinition, setting: FoldSetting): BarsFold {
  const parts = "parts" in categories ? categories.parts : [];
  const splits = seriesConditions(series);
  const folds = parts.map((part) =>
    splits.map((split) => createAggregateFold(measure, [part.where, ...split], setting)),
  );
  return {
    add(row) {
      for (const part of folds) for (const fold of part) fold.add(row);
    },
    result: () => ({
      points: parts.map(({ label, tone = "neutral" }, at) => ({ label, tone, ...readBarValues(folds[at]!) })),
      omitted: [],
    }),
  };
}

interface Category {
  readonly label: string;
  /** Epoch milliseconds of a timestamp, because its text does not sort by time; 0 for other kinds. */
  readonly instant: number;
  readonly total: AggregateFold;
  readonly measures: readonly AggregateFold[];
}

/** Folds the largest categories. If there are too many to keep, the result has none, because a category that was not kept could be the largest. */
function createLargestFold(
  { measure, series }: ChartDefinition,
  { column: key, top }: { readonly column: string; readonly top: number },
  setting: FoldSetting,
): BarsFold {
  const column = setting.columns.find((candidate) => candidate.key === key);
  if (column === undefined) throw new Error(`There is no column ${key}.`);
  const { kind } = column;
  const toneOf = createValueToneSelector(column);
  const fold = (...conditions: Condition[]): AggregateFold => createAggregateFold(measure, conditions, setting);
  const splits = seriesConditions(series);
  const withoutValue = fold();
  // The total of all categories, shown if there are too many. Only sums and counts add up to a total. To count distinct values again would need more
  // memory.
  const withValue = isAdditiveAggregate(measure) ? fold() : null;
  let hasRowsWithoutValue = false;
  let characters = 0;
  let categories: Map<string, Category> | null = new Map();

  const categoryOf = (label: string, { row }: RowWithCells): Category | undefined => {
    const id = toEqualityKey(label, kind);
    const known = categories?.get(id);
    if (known !== undefined || categories === null) return known;
    characters += label.length;
    if (categories.size === maxCategories || characters > maxCategoryCharacters) {
      categories = null;
      return undefined;
    }
    const total = fold();
    const instant = kind === "timestamp" ? Number(row[key]) : 0;
    const made = {
      label,
      instant,
      total,
      measures: series === undefined ? [total] : splits.map((split) => fold(...split)),
    };
    categories.set(id, made);
    return made;
  };

  return {
    add(row) {
      const cell = row.cell(key);
      for (const label of cellCategories(cell)) {
        if (label === null) {
          hasRowsWithoutValue = true;
          withoutValue.add(row);
          continue;
        }
        withValue?.add(row);
        const category = categoryOf(label, row);
        if (category === undefined) continue;
        category.total.add(row);
        for (const split of category.measures) if (split !== category.total) split.add(row);
      }
    },
    result() {
      const omitted: Chart["omitted"][number][] = [];
      if (hasRowsWithoutValue)
        omitted.push({
          label: toOmittedLabel({ kind: kind === "boolean" ? "notKnown" : "withoutValue" }, column.title),
          ...parseOmittedValue(withoutValue.text()),
        });
      if (categories === null) {
        const label = toOmittedLabel({ kind: "tooMany", count: maxCategories }, column.title);
        return {
          points: [],
          omitted: [
            ...omitted,
            { label, ...(withValue === null ? { value: null } : parseOmittedValue(withValue.text())) },
          ],
        };
      }
      const all = [...categories.values()].sort(
        (a, b) => compareTotals(a, b) || a.instant - b.instant || compareCells(a.label, b.label, kind),
      );
      const rest = all.slice(top);
      if (rest.length > 0) {
        const label = toOmittedLabel({ kind: "others", count: rest.length }, column.title);
        omitted.push({
          label,
          ...(isAdditiveAggregate(measure) ? parseOmittedValue(sumTotals(rest)) : { value: null }),
        });
      }
      const points = all.slice(0, top).map(({ label, measures }) => ({
        label,
        tone: toneOf(label) ?? ("neutral" as const),
        ...readBarValues(measures),
      }));
      return { points, omitted };
    },
  };
}

function chartSeries({ title, series = [] }: ChartDefinition): Chart["series"] {
  if (series.length === 0) return [{ label: title, tone: "neutral" }];
  return series.map(({ label, tone = "neutral" }) => ({ label, tone }));
}

function seriesConditions(series: ChartDefinition["series"]): readonly (readonly Condition[])[] {
  return series?.map(({ where }) => [where]) ?? [[]];
}

/** A list counts once in the category of each of its elements. An empty list has no category, like null. */
function cellCategories(cell: ObjectCell): readonly (string | null)[] {
  if (cell === null || typeof cell === "string") return [cell];
  return cell.length === 0 ? [null] : cell;
}

function compareTotals({ total: a }: Category, { total: b }: Category): number {
  const [left, right] = [a.text(), b.text()];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compareExact(parseExactNumber(right), parseExactNumber(left));
}

function sumTotals(categories: readonly Category[]): string | null {
  const totals = categories.flatMap(({ total }) => total.text() ?? []).map(parseExactNumber);
  return totals.length === 0 ? null : formatExactNumber(totals.reduce(addExact));
}

function readBarValues(folds: readonly AggregateFold[]): ReturnType<typeof parseBarValues> {
  return parseBarValues(folds.map((fold) => fold.text()));
}
