export const maxDecimalDigits = 30;

export const decimalRule = `a decimal number as text, such as "10.5", with up to ${maxDecimalDigits} digits before the point and ${maxDecimalDigits} after it`;

/** Pattern of a decimal, also used in JSON Schema. A decimal has no exponent and no thousands separators. */
export const decimalPattern = /^-?[0-9]{1,30}(?:\.[0-9]{1,30})?$/;

/** Returns a decimal in its normal form: `007.50` becomes `7.5`, and `-0.0` becomes `0`. Returns null for other text. */
export function normaliseDecimal(text: string): string | null {
  if (!decimalPattern.test(text)) return null;
  const [whole = "", fraction = ""] = text.replace(/^(-?)0+(?=\d)/, "$1").split(".");
  const digits = [...fraction].findLastIndex((digit) => digit !== "0") + 1;
  const plain = digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`;
  return plain === "-0" ? "0" : plain;
}

export function compareDecimals(a: string, b: string): number {
  const [left, right] = [toScaledInteger(a), toScaledInteger(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function toScaledInteger(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(maxDecimalDigits, "0"));
}
