/** Excel keeps 15 significant digits. */
export const maxExactDigits = 15;
/** Exponents within which Excel keeps every number of 15 digits: 1E-307 to 9.99999999999999E+307. */
const minExponent = -307;
const maxExponent = 307;

const zero = 0x30;
const nine = 0x39;
const hyphen = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const letterE = 0x65;

/**
 * Returns where a decimal may be cut, before its trailing zeros, so that a sheet still holds it exactly. Returns null for a number that a sheet would
 * round, that overflows, or that it does not know (`NaN`).
 */
export function findExactNumberEnd(bytes: Uint8Array, start: number, end: number): number | null {
  let at = bytes[start] === hyphen ? start + 1 : start;
  /** Number of digits before the point, without leading zeros. `zerosBehindPoint` counts the zeros between the point and the first other digit. */
  let whole = 0;
  let zerosBehindPoint = 0;
  let significant = 0;
  let trailingZeros = 0;
  let isFraction = false;
  let keptEnd = start;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === point) {
      if (isFraction) return null;
      isFraction = true;
      continue;
    }
    if (byte < zero || byte > nine) break;
    if (byte !== zero) {
      significant += trailingZeros + 1;
      trailingZeros = 0;
      keptEnd = at + 1;
    } else if (significant > 0) trailingZeros++;
    else if (isFraction) zerosBehindPoint++;
    if (!isFraction) {
      if (significant > 0) whole++;
      keptEnd = at + 1;
    }
  }
  if (keptEnd === start || significant > maxExactDigits) return null;
  const exponent = at === end ? 0 : parseExponent(bytes, at, end);
  if (exponent === null) return null;
  if (significant === 0) return keptEnd;
  const first = exponent + (whole > 0 ? whole - 1 : -zerosBehindPoint - 1);
  if (first < minExponent || first > maxExponent) return null;
  return at === end ? keptEnd : end;
}

function parseExponent(bytes: Uint8Array, start: number, end: number): number | null {
  if (bytes[start] !== letterE) return null;
  let at = start + 1;
  const isNegative = bytes[at] === hyphen;
  if (isNegative || bytes[at] === plus) at++;
  if (at === end) return null;
  let exponent = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - zero;
    if (digit < 0 || digit > 9) return null;
    exponent = exponent * 10 + digit;
  }
  return isNegative ? -exponent : exponent;
}
