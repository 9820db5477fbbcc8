import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { convertByLibreOffice, hasLibreOffice } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";
import { applyByteSizeUnits, createByteSizeFormatCodes } from "./byte-size-units.ts";
import { xlsxRenderer } from "./xlsx.ts";

const columns = createTestColumns({ name: "text", sent: "bytes" });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "size-units-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

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

it.runIf(hasLibreOffice)(
  "LibreOffice shows all sizes of an xlsx column in the unit of the column",
  { timeout: 120_000 },
  async () => {
    const sizes = ["1234567890", "-2000000000", "0", "1", "49999", "50000", "999960", "", "1000000.5"];
    const rows = createTestRows(columns, sizes.map((size) => `a,${size}\n`).join(""));
    const { bytes } = await renderToBuffer(xlsxRenderer, rows, {
      options: { format: "xlsx", language: "de", locale: "de" },
    });
    const path = join(folder, "sizes.xlsx");
    writeFileSync(path, bytes);
    const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,2";
    // LibreOffice writes numbers in the language of its environment, so the test sets that language.
    convertByLibreOffice(["--convert-to", filter], folder, [path], { LANG: "en_US.UTF-8" });
    const lines = readFileSync(join(folder, "sizes-Fixture.csv"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^[^,]*,/, ""))).toEqual([
      "Title of sent (GB)",
      "1.2",
      "-2.0",
      "0.0",
      '"<0,1"',
      '"<0,1"',
      '"<0,1"',
      '"<0,1"',
      "",
      '"<0,1"',
    ]);
  },
);
