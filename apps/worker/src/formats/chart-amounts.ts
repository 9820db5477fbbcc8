import {
  selectAggregateDisplay,
  type Chart,
  type ChartDefinition,
  type ReportTypeDefinition,
} from "@reports/core/report";
import type { NumberDisplayWithKind } from "./amount-formatter.ts";
import type { LocalisedChart } from "./localised-summary.ts";

type PointAmounts = Pick<Chart["points"][number], "values" | "exact">;

/** Returns the exact amounts of a bar's parts, one per series of the chart. A part is null if no row has a value for it. */
export function formatExactAmounts({ values, exact }: PointAmounts): readonly (string | null)[] {
  return exact ?? values.map((value) => (value === null ? null : String(value)));
}

/** Returns the sum of a bar's parts; null if no part has a value. Whole numbers are added as BigInt, because a double can't hold every sum. */
export function formatExactTotal(point: PointAmounts): string | null {
  const amounts = formatExactAmounts(point).filter((amount) => amount !== null);
  if (amounts.length === 0) return null;
  return amounts.every(isWholeNumber)
    ? String(amounts.reduce((total, amount) => total + BigInt(amount), 0n))
    : String(amounts.reduce((total, amount) => total + Number(amount), 0));
}

export function toDefinedChartDisplay(
  { measure }: Pick<ChartDefinition, "measure">,
  definition: ReportTypeDefinition,
): NumberDisplayWithKind {
  const column = "column" in measure ? definition.columns.find(({ key }) => key === measure.column) : undefined;
  return toChartNumberDisplay({ kind: column?.kind ?? "decimal", ...selectAggregateDisplay(measure, definition) });
}

/** Returns how the amounts of a chart are shown. Amounts of a ratio are shown as plain numbers, not as percentages. */
export function toChartNumberDisplay({
  kind,
  unit,
  currency,
  digits,
}: Omit<LocalisedChart, keyof Chart>): NumberDisplayWithKind {
  return {
    kind: kind === "bytes" || kind === "duration" ? kind : "decimal",
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
    ...(digits === undefined || kind === "ratio" ? {} : { digits }),
  };
}

export function isFiniteChartValue(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

export function isWholeNumber(amount: string): boolean {
  return /^-?\d+$/.test(amount);
}
