import type { Chart } from "@reports/core/report";

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

export function isDrawable(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

export function isWholeNumber(amount: string): boolean {
  return /^-?\d+$/.test(amount);
}
