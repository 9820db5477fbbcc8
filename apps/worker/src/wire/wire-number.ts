import {
  addExact,
  compareExact,
  divideExact,
  formatExactNumber,
  multiplyExact,
  parseExactNumber,
  roundExact,
  type ExactNumber,
} from "@reports/core/report";

const meanDecimals = 6;

/** A number of the wire form. `NaN`, `Infinity` and `-Infinity`, which Postgres also has, are doubles; all others are exact. */
export type WireNumber = ExactNumber | number;

export function parseWireNumber(text: string): WireNumber {
  return /^(NaN|-?Infinity)$/.test(text) ? Number(text) : parseExactNumber(text);
}

export function formatWireNumber(value: WireNumber): string {
  return typeof value === "number" ? String(value) : formatExactNumber(value);
}

export function addWireNumbers(a: WireNumber, b: WireNumber): WireNumber {
  return typeof a === "number" || typeof b === "number" ? toDouble(a) + toDouble(b) : addExact(a, b);
}

export function multiplyWireNumbers(a: WireNumber, b: WireNumber): WireNumber {
  return typeof a === "number" || typeof b === "number" ? toDouble(a) * toDouble(b) : multiplyExact(a, b);
}

/** Returns a / b, rounded to six decimal places; null if `b` is zero. If either is NaN or infinite, returns the quotient of doubles. */
export function divideToSixDecimals(a: WireNumber, b: WireNumber): WireNumber | null {
  if (typeof a !== "number" && typeof b !== "number")
    return b.digits === 0n ? null : roundExact(divideExact(a, b), meanDecimals);
  const quotient = toDouble(a) / toDouble(b);
  return quotient === 0 ? { digits: 0n, scale: meanDecimals } : quotient;
}

/** Compares as Postgres does: `NaN` is the greatest number. */
export function compareWireNumbers(a: WireNumber, b: WireNumber): number {
  if (typeof a !== "number" && typeof b !== "number") return compareExact(a, b);
  return rankOf(a) - rankOf(b);
}

/** Converts to a double. An exact number becomes one of the same sign, because only its sign matters next to `NaN` or an infinity. */
function toDouble(value: WireNumber): number {
  if (typeof value === "number") return value;
  return value.digits === 0n ? 0 : value.digits < 0n ? -1 : 1;
}

function rankOf(value: WireNumber): number {
  if (typeof value !== "number") return 0;
  return Number.isNaN(value) ? 2 : value > 0 ? 1 : -1;
}
