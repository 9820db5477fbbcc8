/** Reports whether a number of JSON means the same in JavaScript as it is written, so that nothing of it is rounded. */
export function isExactLiteral(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && normalise(literal) === normalise(String(value));
}

/** Digits without zeros at either end, with the power of ten by which they are multiplied. */
function normalise(literal: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`;
  const first = digits.search(/[1-9]/);
  if (first < 0) return "0";
  let last = digits.length;
  while (digits[last - 1] === "0") last -= 1;
  const power = Number(exponent) - fraction.length + (digits.length - last);
  return `${digits.slice(first, last)}e${power}`;
}
