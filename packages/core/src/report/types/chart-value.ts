import type { Chart } from "./summary.ts";

/**
 * Returns what a bar measures, given as decimal text. A value is null where no row has one, and where it is not a finite number.
 * `exact` holds the texts where a double does not hold each of them.
 */
export function barValues(texts: readonly (string | null)[]): Pick<Chart["points"][number], "values" | "exact"> {
  const values = texts.map(drawnValue);
  return texts.some(isBeyondDouble) ? { values, exact: texts } : { values };
}

/** Returns the same for what no bar shows. */
export function omittedValue(text: string | null): Pick<Chart["omitted"][number], "value" | "exact"> {
  return isBeyondDouble(text) ? { value: drawnValue(text), exact: text } : { value: drawnValue(text) };
}

function drawnValue(text: string | null): number | null {
  const value = Number(text ?? NaN);
  return Number.isFinite(value) ? value : null;
}

function isBeyondDouble(text: string | null): text is string {
  if (text === null) return false;
  return !Number.isFinite(Number(text)) || (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)));
}
