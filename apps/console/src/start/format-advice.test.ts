import { expect, test } from "vitest";
import { findFormatAdvice, findFormatForMoreRows } from "./format-advice.ts";

const format = { compressible: false, showsGroups: false, taggedMaxRows: null };
const formats = [
  { ...format, format: "pdf", maxRows: 100_000 },
  { ...format, format: "xlsx", maxRows: 1_000_000 },
  { ...format, format: "csv", maxRows: 50_000_000 },
] as const;
const advise = (name: string, rows: number | null, rowsAre: "EXACT" | "PLANNED" = "EXACT") =>
  findFormatAdvice(
    { formats },
    { format: name, rows, rowsAre, fits: rows === null ? null : rows <= formats[name === "pdf" ? 0 : 1].maxRows },
  );

test("too many rows for a format block the start, and the advice names the next format", () => {
  expect(advise("pdf", 103_920)).toEqual({
    isBlocked: true,
    text: "Too many rows: pdf takes at most 100,000.",
    instead: "xlsx",
  });
  expect(advise("xlsx", 1_000_001)?.instead).toBe("csv");
  expect(advise("xlsx", 60_000_000)).toMatchObject({ isBlocked: true, instead: undefined });
});

test("an estimated number of rows above the limit of a format only warns", () => {
  expect(advise("pdf", 103_920, "PLANNED")).toEqual({
    isBlocked: false,
    text: "Probably too many rows: pdf takes at most 100,000.",
    instead: "xlsx",
  });
});

test("the form advises against a pdf of more than 50 pages", () => {
  expect(advise("pdf", 1_501)).toMatchObject({
    isBlocked: false,
    text: expect.stringContaining("about 51 pages") as string,
    instead: "xlsx",
  });
  expect(advise("pdf", 1_500)).toBeNull();
  expect(advise("xlsx", 90_000)).toBeNull();
  expect(advise("pdf", null)).toBeNull();
});

test("after a failure for too many rows, the proposed format accepts more rows", () => {
  expect(findFormatForMoreRows(formats, "pdf", null)).toBe("xlsx");
  expect(findFormatForMoreRows(formats, "csv", null)).toBeUndefined();
});
