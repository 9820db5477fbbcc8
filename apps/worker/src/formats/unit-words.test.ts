import { expect, test } from "vitest";
import { createAmountFormatter } from "./amount-formatter.ts";
import { getNumberFormatter } from "./number-formatter.ts";

test.each([
  ["en", "days", ["0", "1", "-1", "2", "1.0", "1.5"], ["0 days", "1 day", "-1 day", "2 days", "1.0 days", "1.5 days"]],
  ["de", "hours", ["1", "5"], ["1 Stunde", "5 Stunden"]],
  ["fr", "days", ["0", "1.5", "2"], ["0 jour", "1,5 jour", "2 jours"]],
  ["nl", "weeks", ["1", "2"], ["1 week", "2 weken"]],
  ["es", "years", ["1", "2"], ["1 año", "2 años"]],
  ["pl", "hours", ["1", "2", "5", "22"], ["1 godzina", "2 godziny", "5 godzin", "22 godziny"]],
  ["de", "kg", ["1", "2"], ["1 kg", "2 kg"]],
  ["de", "pages", ["1", "2"], ["1 pages", "2 pages"]],
] as const)("in %s, numbers of %s have the plural form of each number", (language, unit, numbers, expected) => {
  const format = createAmountFormatter({ kind: "decimal", unit }, getNumberFormatter(language, language));
  expect(numbers.map((number) => format.write(number).replaceAll("\u00A0", " "))).toEqual(expected);
});

test("a unit has the plural form of the number as it is rounded for display", () => {
  const format = createAmountFormatter({ kind: "decimal", unit: "days", digits: 0 }, getNumberFormatter("en", "en"));
  expect(format.write("1.4")).toBe("1\u00A0day");
});
