import { expect, test } from "vitest";
import { builtInReportTypes } from "./built-in-report-types.ts";

test.each(builtInReportTypes)("$type searches text only in columns that it shows", ({ filters, columns }) => {
  const shown = columns.map(({ key }) => key);
  const searched = filters.filter(({ operator }) => operator === "contains").flatMap((filter) => filter.columns);
  expect(searched.filter((column) => !shown.includes(column))).toEqual([]);
});
