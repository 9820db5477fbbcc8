import type { Chart } from "./summary.ts";

/** Returns the values of a bar. A value is null if it is missing or not finite. If a value is an integer beyond 2^53 or not finite, `exact` holds all values as text. */
export function parseBarValues(texts: readonly (string | null)[]): Pick<Chart["points"][number], "values" | "exact"> {
  const values = texts.map(parseFinite);
  return texts.some(isBeyondDouble) ? { values, exact: texts } : { values };
}

/** Returns the value of categories that no bar shows, in the same form. */
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
