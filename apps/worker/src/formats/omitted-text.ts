import type { Chart } from "@reports/core/report";
import type { Words } from "./words/words.ts";

/** Describes the categories that a chart omits, with the totals of their values: "Not shown: no region (87), 3 others (12)". Returns an empty text if it omits none. */
export function describeOmittedCategories(
  { omitted }: Pick<Chart, "omitted">,
  words: Words,
  write: (amount: string) => string,
): string {
  if (omitted.length === 0) return "";
  const parts = omitted.map(({ label, value, exact = value === null ? undefined : String(value) }) =>
    exact === undefined ? label : `${label} (${write(exact)})`,
  );
  return words.text("notShown", { parts: parts.join(", ") });
}
