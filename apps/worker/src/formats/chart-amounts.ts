import { displayOfAggregate, type Chart, type ChartDefinition, type ReportTypeDefinition } from "@reports/core/report";
import type { ShownNumber } from "./amount-format.ts";
import type { ChartInWords } from "./summary-in-words.ts";

type PointAmounts = Pick<Chart["points"][number], "values" | "exact">;

/** Returns the amounts of a bar with all their digits; null for a part of which no row has a value. */
export function exactAmounts({ values, exact }: PointAmounts): readonly (string | null)[] {
  return exact ?? values.map((value) => (value === null ? null : String(value)));
}

/** Returns the sum of the amounts of a bar; null if it has none. Whole numbers are added exactly, because a double cannot hold every sum. */
export function exactTotal(point: PointAmounts): string | null {
  const amounts = exactAmounts(point).filter((amount) => amount !== null);
  if (amounts.length === 0) return null;
  return amounts.every(isWholeNumber)
    ? String(amounts.reduce((total, amount) => total + BigInt(amount), 0n))
    : String(amounts.reduce((total, amount) => total + Number(amount), 0));
}

/** Returns how the amounts of a chart are shown, by its definition. */
export function numberOfChart(
  { measure }: Pick<ChartDefinition, "measure">,
  definition: ReportTypeDefinition,
): ShownNumber {
  const column = "column" in measure ? definition.columns.find(({ key }) => key === measure.column) : undefined;
  return chartNumber({ kind: column?.kind ?? "decimal", ...displayOfAggregate(measure, definition) });
}

/** Returns how the amounts of a chart are shown. Ratios are shown as numbers, not as percentages. */
export function chartNumber({ kind, unit, currency, digits }: Omit<ChartInWords, keyof Chart>): ShownNumber {
  return {
    kind: kind === "bytes" || kind === "duration" ? kind : "decimal",
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
    ...(digits === undefined || kind === "ratio" ? {} : { digits }),
  };
}

export function isDrawable(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

export function isWholeNumber(amount: string): boolean {
  return /^-?\d+$/.test(amount);
}
