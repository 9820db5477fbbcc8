import type { Chart } from "@reports/core/report";

type Amounts = Pick<Chart["points"][number], "values" | "exact">;

/** Returns the amounts of a bar, each to its last digit; null where no row has a value. */
export function amountsOf({ values, exact }: Amounts): readonly (string | null)[] {
  return exact ?? values.map((value) => (value === null ? null : String(value)));
}

/** Returns their sum; null where there is none. Whole numbers are added up as such, because a double does not hold every sum. */
export function totalOf(point: Amounts): string | null {
  const amounts = amountsOf(point).filter((amount) => amount !== null);
  if (amounts.length === 0) return null;
  return amounts.every(isWhole)
    ? String(amounts.reduce((total, amount) => total + BigInt(amount), 0n))
    : String(amounts.reduce((total, amount) => total + Number(amount), 0));
}

/** Whether a chart can draw the value. */
export function isDrawable(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

/** Whether an amount is a whole number in plain digits. */
export function isWhole(amount: string): boolean {
  return /^-?\d+$/.test(amount);
}
