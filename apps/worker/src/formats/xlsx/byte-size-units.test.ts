import { expect, test } from "vitest";
import { createTestColumns } from "../rows.fixture.ts";
import { applyByteSizeUnits, createByteSizeFormatCodes } from "./byte-size-units.ts";

const columns = createTestColumns({ name: "text", sent: "bytes" });

function titleOf(sizes: readonly (string | null)[], largest?: string): string {
  const rows = sizes.map((size) => ["a", size]);
  const known = new Map(largest === undefined ? [] : [["sent", largest]]);
  return applyByteSizeUnits(columns, rows, known)[1]!.title;
}

test("the xlsx number format of a byte size depends on the number of its digits", () => {
  expect(createByteSizeFormatCodes("GB", "<0.1")).toEqual([
    '[=0]0.0;"<0.1"',
    '"<0.1"',
    '[>=50000000]#,##0.0,,,;"<0.1"',
    "#,##0.0,,,",
  ]);
  expect(createByteSizeFormatCodes("kB", "<0.1")).toEqual(['[>=50]#,##0.0,;[=0]0.0;"<0.1"', "#,##0.0,"]);
});

test.each([
  [["1", "999"], "Title of sent (B)"],
  [["1", null, "1000"], "Title of sent (kB)"],
  [["16500000000000", "3"], "Title of sent (TB)"],
  [["5000000000.75"], "Title of sent (GB)"],
  [["-16500000000", "3"], "Title of sent (GB)"],
  [["0", null], "Title of sent"],
  [[], "Title of sent"],
  [["1234567890123456", "3"], "Title of sent"],
] as const)("the column title of the sizes %j names their unit: %s", (sizes, title) => {
  expect(titleOf(sizes)).toBe(title);
});

test("a larger size in later rows decides the unit, if it is known before the rows", () => {
  expect(titleOf(["1"], "16500000000000")).toBe("Title of sent (TB)");
  expect(titleOf(["1"], "1234567890123456")).toBe("Title of sent");
});
