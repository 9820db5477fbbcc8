import type { Chart } from "@reports/core/report";

/** What stands in the place of the bars of a chart that has none. */
export const nothingToShow = "Nothing to show.";

/** What a chart leaves out, in words: "Not shown: no region (87), 3 others (12)". Empty where it leaves out nothing. */
export function omittedText({ omitted }: Pick<Chart, "omitted">, write: (amount: string) => string): string {
  if (omitted.length === 0) return "";
  const parts = omitted.map(({ label, value, exact = value === null ? undefined : String(value) }) =>
    exact === undefined ? label : `${label} (${write(exact)})`,
  );
  return `Not shown: ${parts.join(", ")}`;
}
