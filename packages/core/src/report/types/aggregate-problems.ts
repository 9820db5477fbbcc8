import type { ColumnKind } from "./column.ts";
import { findConditionProblems } from "./condition-problems.ts";
import { findUnknownColumnProblems } from "./definition-rules.ts";
import { isNumericKind } from "./logical-columns.ts";
import type { Aggregate, ColumnAggregateKind } from "./summary.ts";

type KindsByColumn = ReadonlyMap<string, ColumnKind>;

/** For each kind of column, the kinds in which its values can be shown unchanged, for example in a figure. */
const kindsOfValue = {
  integer: ["integer", "bigint", "decimal", "bytes", "duration"],
  bigint: ["bigint", "decimal", "bytes", "duration"],
  bytes: ["bytes", "bigint", "decimal"],
  decimal: ["decimal", "ratio", "duration"],
  ratio: ["ratio", "decimal"],
  duration: ["duration", "decimal"],
  date: ["date"],
  time: ["time"],
  timestamp: ["timestamp"],
  text: ["text"],
  boolean: ["boolean"],
  list: ["list"],
} as const satisfies Readonly<Record<ColumnKind, readonly ColumnKind[]>>;

const operands = {
  sum: { fits: isNumericKind, name: "numbers or durations" },
  avg: { fits: isNumericKind, name: "numbers or durations" },
  min: { fits: hasExtremes, name: "numbers, durations, dates or times" },
  max: { fits: hasExtremes, name: "numbers, durations, dates or times" },
  distinct: { fits: (kind) => kind !== "list", name: "single values" },
} as const satisfies Readonly<
  Record<ColumnAggregateKind, { readonly fits: (kind: ColumnKind) => boolean; readonly name: string }>
>;

/** Texts have no minimum or maximum here, because each database orders texts by its own collation. */
function hasExtremes(kind: ColumnKind): boolean {
  return isNumericKind(kind) || kind === "date" || kind === "time" || kind === "timestamp";
}

export function findAggregateKindProblems(
  on: string,
  { kind, aggregate }: { readonly kind: ColumnKind; readonly aggregate: Aggregate },
  columns: KindsByColumn,
): string[] {
  const problems = problemsOfAggregate(on, aggregate, columns);
  const fitting = kindsOfAggregate(aggregate, columns);
  if (problems.length > 0 || fitting.includes(kind)) return problems;
  return [`${on}: its aggregate is ${named(aggregate)}, which is of kind ${fitting.join(" or ")}, and not ${kind}.`];
}

export function findChartMeasureProblems(on: string, measure: Aggregate, columns: KindsByColumn): string[] {
  const problems = problemsOfAggregate(on, measure, columns);
  if (problems.length > 0 || kindsOfAggregate(measure, columns).every(isNumericKind)) return problems;
  return [`${on}: bars show numbers, and ${named(measure)} of ${columnOf(measure)} is none.`];
}

function problemsOfAggregate(on: string, aggregate: Aggregate, columns: KindsByColumn): string[] {
  const problemsOfOperand = (key: string, { fits, name }: (typeof operands)[ColumnAggregateKind]): string[] => {
    const kind = columns.get(key);
    if (kind === undefined) return findUnknownColumnProblems(on, key, columns);
    return fits(kind) ? [] : [`${on}: ${named(aggregate)} is computed from ${name}, and ${key} is of kind ${kind}.`];
  };
  const ofCondition =
    "where" in aggregate && aggregate.where !== undefined
      ? findConditionProblems(`${on}: its condition`, aggregate.where, columns)
      : [];
  switch (aggregate.kind) {
    case "count":
      return ofCondition;
    case "weighted-mean":
      return [aggregate.column, aggregate.weight].flatMap((key) => problemsOfOperand(key, operands.sum));
    default:
      return [...problemsOfOperand(aggregate.column, operands[aggregate.kind]), ...ofCondition];
  }
}

function kindsOfAggregate(aggregate: Aggregate, columns: KindsByColumn): readonly ColumnKind[] {
  const kind = ("column" in aggregate ? columns.get(aggregate.column) : undefined) ?? "text";
  switch (aggregate.kind) {
    case "count":
    case "distinct":
      return ["integer", "bigint"];
    case "sum":
      return kind === "duration" ? kindsOfValue.duration : ["bigint", "decimal", "bytes", "duration"];
    case "avg":
    case "weighted-mean":
      return kind === "duration" ? kindsOfValue.duration : ["decimal", "ratio", "duration"];
    case "min":
    case "max":
      return kindsOfValue[kind];
  }
}

function named({ kind }: Aggregate): string {
  return `${kind === "avg" ? "an" : "a"} ${kind}`;
}

function columnOf(aggregate: Aggregate): string {
  return "column" in aggregate ? aggregate.column : "";
}
