import type { Chart } from "./summary.ts";

/** What a bar measures, given as decimal text; `exact` holds the texts where a double does not hold each of them. */
export function barValues(texts: readonly (string | null)[]): Pick<Chart["points"][number], "values" | "exact"> {
  const values = texts.map(Number);
  if (!texts.some(isBeyondDouble)) return { values };
  return { values, exact: texts.map((text) => text ?? "0") };
}

/** The same of what no bar shows. */
export function omittedValue(text: string | null): Pick<Chart["omitted"][number], "value" | "exact"> {
  return isBeyondDouble(text) ? { value: Number(text), exact: text } : { value: Number(text) };
}

function isBeyondDouble(text: string | null): text is string {
  return text !== null && /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
}
