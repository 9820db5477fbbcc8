import { expect, it } from "vitest";
import { getNumberFormat } from "./number-format.ts";
import { createCellFormat } from "./pdf/cell-format.ts";
import { getDateFormat } from "./pdf/date-format.ts";
import { booleanTitles } from "./value-titles.ts";

it.each(Object.entries(booleanTitles))("the boolean %s has the same word in all formats for people", (value, word) => {
  const conventions = { numbers: getNumberFormat("en"), dates: getDateFormat("en"), timezone: "UTC" };
  expect(createCellFormat({ kind: "boolean" }, conventions)(value)).toBe(word);
});
