import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareDecimals, normaliseDecimal } from "./decimal.ts";

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 30 });
const decimal = fc
  .tuple(fc.constantFrom("", "-"), digits, fc.option(digits))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? "" : `.${fraction}`}`);

function scaled(text: string): bigint {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const size = BigInt(whole!) * 10n ** 30n + BigInt(fraction.padEnd(30, "0"));
  return sign === "-" ? -size : size;
}

test("normaliseDecimal and compareDecimals agree with exact arithmetic", () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [left, right] = [normaliseDecimal(a)!, normaliseDecimal(b)!];
      expect(scaled(left)).toBe(scaled(a));
      expect(left === right).toBe(scaled(a) === scaled(b));
      expect(normaliseDecimal(left)).toBe(left);
      expect(Math.sign(compareDecimals(a, b))).toBe(scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0);
    }),
  );
});

test.each([
  ["-0.00", "0"],
  ["000", "0"],
  ["-007.10", "-7.1"],
  ["100", "100"],
  ["0.10", "0.1"],
  ["1.", null],
  ["", null],
])("normaliseDecimal turns %j into %j", (given, written) => {
  expect(normaliseDecimal(given)).toBe(written);
});
