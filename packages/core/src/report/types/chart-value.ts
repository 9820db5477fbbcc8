import type { Chart } from "./summary.ts";

/** Returns a bar's values; null if missing or not finite. `exact` holds all as text if one is not finite or an integer beyond 2^53. */
export function parseBarValues(texts: readonly (string | null)[]): Pick<Chart["points"][number], "values" | "exact"> {
  const values = texts.map(parseFinite);
  return texts.some(isBeyondDouble) ? { values, exact: texts } : { values };
}

/**
 * Returns the total of categories without a bar; null if missing or not finite. `exact` is its text, if it is not finite or an integer beyond 2^53.
 */
export function parseOmittedValue(text: string | null): Pick<Chart["omitted"][number], "value" | "exact"> {
  return isBeyondDouble(text) ? { value: parseFinite(text), exact: text } : { value: parseFinite(text) };
}

function parseFinite(text: string | null): number | null {
  const value = Number(text ?? NaN);
  return Number.isFinite(value) ? value : null;
}

function isBeyondDouble(text: string | null): text is string {
  if (text === null) return false;
  return !Number.isFinite(Number(text)) || (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)));
}
