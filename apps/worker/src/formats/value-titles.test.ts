import { expect, it } from "vitest";
import { createCellFormatContext, createCellFormatter } from "./pdf/cell-formatter.ts";
import { createTableRowsXml } from "./xlsx/sheet-parts.ts";
import { createDateFormatCodes } from "./xlsx/date-format-codes.ts";
import { createNumberStyles } from "./xlsx/number-styles.ts";
import { createTestDefinition } from "./rows.fixture.ts";

it.each([
  ["t", "Yes"],
  ["f", "No"],
])("the boolean %s has the same word in all formats for people", (value, word) => {
  const conventions = createCellFormatContext({ locale: "en", language: "en", timezone: "UTC" });
  expect(createCellFormatter({ kind: "boolean" }, conventions)(value)).toBe(word);
  const column = { key: "up", title: "Up", kind: "boolean", width: 8 } as const;
  const numbers = createNumberStyles(createTestDefinition([column]), [], conventions.numbers);
  const style = { dates: createDateFormatCodes("en"), numbers, words: conventions.words };
  expect(createTableRowsXml([column], [[value]], style).xml).toContain(`<v>${word}</v>`);
});
