import type { Chart } from "@reports/core";

/** The amounts of a bar, each to its last digit. */
export function amountsOf({ values, exact }: Pick<Chart["points"][number], "values" | "exact">): readonly string[] {
  return exact ?? values.map(String);
}

/** What they are together. Whole numbers are added up as such, because a double does not hold every sum. */
export function totalOf(point: Pick<Chart["points"][number], "values" | "exact">): string {
  const amounts = amountsOf(point);
  return amounts.every(isWhole)
    ? String(amounts.reduce((total, amount) => total + BigInt(amount), 0n))
    : String(point.values.reduce((total, value) => total + value, 0));
}

/** Whether an amount is a whole number in plain digits. */
export function isWhole(amount: string): boolean {
  return /^-?\d+$/.test(amount);
}
