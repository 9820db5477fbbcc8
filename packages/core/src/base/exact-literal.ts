/** Reports whether JavaScript parses the text of a JSON number without rounding, so that it would write the number with the same digits. */
export function isExactNumberLiteral(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && normaliseNumber(literal) === normaliseNumber(String(value));
}

function normaliseNumber(literal: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`;
  const first = digits.search(/[1-9]/);
  if (first < 0) return "0";
  let last = digits.length;
  while (digits[last - 1] === "0") last -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - last);
  return `${digits.slice(first, last)}e${power}`;
}
