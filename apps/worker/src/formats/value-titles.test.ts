import { expect, it } from "vitest";
import { numberFormatOf } from "./number-format.ts";
import { createCellFormat } from "./pdf/cell-format.ts";
import { dateFormatOf } from "./pdf/date-format.ts";
import { booleanTitles } from "./value-titles.ts";

it.each(Object.entries(booleanTitles))("the boolean %s has the same word in all formats for people", (value, word) => {
  const conventions = { numbers: numberFormatOf("en"), dates: dateFormatOf("en"), timezone: "UTC" };
  expect(createCellFormat({ kind: "boolean" }, conventions)(value)).toBe(word);
});
