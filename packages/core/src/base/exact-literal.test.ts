import { expect, test } from "vitest";
import { isExactNumberLiteral } from "./exact-literal.ts";

test.each([
  "0",
  "-0",
  "0.000",
  "0e999999999",
  "443",
  "443.0",
  "4.43e2",
  "44300E-2",
  "0.1",
  "0.30000000000000004",
  "1e21",
  "1e-7",
  "100000000000000000000",
  "9007199254740991",
  "-9007199254740992",
  "5e-324",
  "1.7976931348623157e308",
])("isExactNumberLiteral accepts %s, because JavaScript reads it exactly", (literal) =>
  expect(isExactNumberLiteral(literal)).toBe(true),
);

test.each([
  "9007199254740993",
  "9007199254740991.4",
  "443.00000000000000001",
  "0.99999999999999999",
  "0.10000000000000001",
  "1e-400",
  "1e400",
  "1e999999999999",
  "-1e309",
  "4e-324",
])("isExactNumberLiteral refuses %s, because JavaScript would round it", (literal) =>
  expect(isExactNumberLiteral(literal)).toBe(false),
);
