/** An exact decimal number: `digits` × 10^-`scale`. */
export interface ExactNumber {
  readonly digits: bigint;
  readonly scale: number;
}

export function parseExactNumber(text: string): ExactNumber {
  const plain = withoutExponent(text);
  const point = plain.indexOf(".");
  if (point < 0) return { digits: BigInt(plain), scale: 0 };
  return { digits: BigInt(plain.slice(0, point) + plain.slice(point + 1)), scale: plain.length - point - 1 };
}

export function formatExactNumber({ digits, scale }: ExactNumber): string {
  if (scale === 0) return String(digits);
  const sign = digits < 0n ? "-" : "";
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

export function addExact(a: ExactNumber, b: ExactNumber): ExactNumber {
  const scale = Math.max(a.scale, b.scale);
  return { digits: rescaleDigits(a, scale) + rescaleDigits(b, scale), scale };
}

export function multiplyExact(a: ExactNumber, b: ExactNumber): ExactNumber {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function compareExact(a: ExactNumber, b: ExactNumber): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [rescaleDigits(a, scale), rescaleDigits(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rounds to `to` decimal places, halves away from zero, as Postgres does. */
export function roundExact({ digits, scale }: ExactNumber, to: number): ExactNumber {
  if (scale <= to) return { digits: digits * 10n ** BigInt(to - scale), scale: to };
  return { digits: divideRounded(digits, 10n ** BigInt(scale - to)), scale: to };
}

/** Returns a / b with the digits that Postgres's `numeric` has: at least 16 significant ones (`select_div_scale` in numeric.c). `b` must not be 0. */
export function divideExact(a: ExactNumber, b: ExactNumber): ExactNumber {
  const [left, right] = [leadingGroup(a), leadingGroup(b)];
  const weight = left.weight - right.weight - (left.digit <= right.digit ? 1 : 0);
  const scale = Math.min(1000, Math.max(16 - 4 * weight, a.scale, b.scale, 0));
  const shift = scale + b.scale - a.scale;
  const numerator = shift >= 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const denominator = shift >= 0 ? b.digits : b.digits * 10n ** BigInt(-shift);
  return { digits: divideRounded(numerator, denominator), scale };
}

export function withoutExponent(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return (
    sign + (point >= digits.length ? digits.padEnd(point, "0") : `${digits.slice(0, point)}.${digits.slice(point)}`)
  );
}

function rescaleDigits({ digits, scale }: ExactNumber, to: number): bigint {
  return scale === to ? digits : digits * 10n ** BigInt(to - scale);
}

function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [absoluteValue(numerator), absoluteValue(denominator)];
  const quotient = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -quotient : quotient;
}

function absoluteValue(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Postgres stores groups of four digits, counted from the decimal point. Returns the first nonzero group and its power of 10,000. */
function leadingGroup({ digits, scale }: ExactNumber): { readonly digit: number; readonly weight: number } {
  if (digits === 0n) return { digit: 0, weight: 0 };
  const text = String(absoluteValue(digits)) + "0".repeat((4 - (scale % 4)) % 4);
  const groups = Math.ceil(text.length / 4);
  return { digit: Number(text.slice(0, text.length - 4 * (groups - 1))), weight: groups - Math.ceil(scale / 4) - 1 };
}
