import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everyValueColumns, everyValueWire } from "./conformance.fixture.ts";
import { createCsvRenderer } from "./csv/csv.ts";
import { formulaTexts, toBareWire, toWireList } from "./csv/csv-formulas.fixture.ts";
import { convertByLibreOffice, hasLibreOffice } from "./readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "./rows.fixture.ts";
import { xlsxRenderer } from "./xlsx/xlsx.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "libreoffice-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.runIf(hasLibreOffice)(
  "LibreOffice reads no text of a guarded csv as a formula, with any separator",
  { timeout: 240_000 },
  async () => {
    const columns = createTestColumns({ a: "text", b: "list", c: "text" });
    const rows = formulaTexts
      .map((text) => `${toBareWire(text)},${toWireList("ok", text)},${toBareWire(text)}`)
      .join("\n");
    for (const formulaGuard of [true, false]) {
      const { bytes } = await renderToBuffer(createCsvRenderer({ formulaGuard }), createTestRows(columns, `${rows}\n`));
      writeFileSync(join(folder, formulaGuard ? "guarded.csv" : "open.csv"), bytes);
    }
    const found = [",", ";", "\t"].map((separator) => {
      const [guardedCells, openCells] = formulasIn(["guarded", "open"], separator);
      return [separator, guardedCells, openCells! > 0];
    });
    // The file without a guard must contain formulas. This shows that LibreOffice evaluates formulas with these options.
    expect(found).toEqual([
      [",", 0, true],
      [";", 0, true],
      ["\t", 0, true],
    ]);
  },
);

function formulasIn(names: readonly string[], separator: string): readonly number[] {
  // LibreOffice's options: separator, quote, UTF-8, from line 1, no column formats, English, quoted is not text, numbers detected, trimmed, formulas evaluated.
  const filter = `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,76,1,,1033,false,true,false,false,true,0,true`;
  const paths = names.map((name) => join(folder, `${name}.csv`));
  convertByLibreOffice([`--infilter=${filter}`, "--convert-to", "fods"], folder, paths);
  return names.map((name) => readFileSync(join(folder, `${name}.fods`), "utf8").match(/table:formula=/g)?.length ?? 0);
}

it.runIf(hasLibreOffice)(
  "LibreOffice shows every kind of value of an xlsx as written",
  { timeout: 120_000 },
  async () => {
    const { bytes } = await renderToBuffer(xlsxRenderer, createTestRows(everyValueColumns, everyValueWire), {
      options: { format: "xlsx", timezone: "Europe/Berlin" },
    });
    const path = join(folder, "rows.xlsx");
    writeFileSync(path, bytes);
    const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,2";
    // LibreOffice writes numbers in the language of its environment, so the test sets that language.
    convertByLibreOffice(["--convert-to", filter], folder, [path], { LANG: "en_US.UTF-8" });
    const text = readFileSync(join(folder, "rows-Fixture.csv"), "utf8");
    const lines = text.split("\n");
    expect(lines[1]).toMatch(
      /^plain,9007199254740991,-9223372036854775808,0\.1,5(\.00)?%,16\.5 TB,Yes,2026-10-25 02:30:00,2026-02-28,"a; b c; d,e",1:30:30,17:00:00,Not <running>$/,
    );
    for (const part of ["日本語", "עברית العربية", "🙂👩‍👩‍👧", "<b>&amp;]]>", "=1+1", " spaced "])
      expect(text).toContain(part);
  },
);

it.runIf(hasLibreOffice)(
  "LibreOffice shows all sizes of an xlsx column in the unit of the column",
  { timeout: 120_000 },
  async () => {
    const columns = createTestColumns({ name: "text", sent: "bytes" });
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
