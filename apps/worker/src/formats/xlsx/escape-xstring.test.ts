import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, constantFrom, nat, oneof, sample, string } from "fast-check";
import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { renderToBuffer, createTestDefinition, createTestRows } from "../rows.fixture.ts";
import { createSheetName } from "./sheet-name.ts";
import { workbookReaders } from "./workbook-readers.fixture.ts";
import { createXlsxRenderer } from "./xlsx.ts";
import { escapeXmlText } from "./escape-xstring.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "xml-text-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const pieces = (
  "_ x _x _x0041 0041 x0041_ _x005F_ _x000d_ _x005 F_ & < > \" ' ]]> &amp; a é 日 🙂 " +
  "\u0001 \u0008 \u001B \u001F \r \n \t \u007F \u0085 \uFFFE \uFFFF \uD800 \uDC00 \u2028"
)
  .split(" ")
  .concat(" ");

/** Like the unit "binary" of fast-check, which builds a table of a million characters in a second and 85 MB. Surrogates are left out. */
const anyCharacter = nat(0x10f7ff).map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800));
const hostileText = array(oneof(constantFrom(...pieces), string({ unit: anyCharacter, maxLength: 3 })), {
  minLength: 1,
  maxLength: 6,
})
  // Postgres texts cannot contain NUL.
  .map((parts) => parts.join("").replaceAll("\u0000", ""));

it.runIf(["openpyxl", "calamine"].every((name) => workbookReaders[name]!.isInstalled))(
  "any text is read back unchanged from cells, headers, sheet names and summary",
  async () => {
    const texts = sample(hostileText, { numRuns: isFullTestRun ? 600 : 250, seed: 20_261_125 })
      .filter((text) => text.trim() !== "")
      .map((text) => text.toWellFormed());
    const titles = texts.slice(0, 24).map((text, at) => `${text}${at}`);
    const columns = titles.map((title, at) => ({ key: `c${at}`, title, kind: "text", width: 20 }) as const);
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const rows = texts.map((text) => `${titles.map((_, at) => quoted(`${text}${at === 0 ? "" : at}`)).join(",")}\n`);
    const definition = { ...createTestDefinition(columns), title: `S ${texts[7]}` };
    const { bytes } = await renderToBuffer(
      createXlsxRenderer({ rowsPerSheet: 1_000 }),
      createTestRows(columns, rows.join("")),
      {
        definition,
        title: `T ${texts[8]}.`,
      },
    );
    const path = join(folder, "texts.xlsx");
    writeFileSync(path, bytes);
    for (const reader of ["openpyxl", "SheetJS", "calamine"]) {
      const book = await workbookReaders[reader]!.read(path);
      expect(Object.keys(book)).toEqual(["Summary", createSheetName(definition.title, ["Summary"])]);
      const [summary, sheet] = Object.values(book);
      expect(summary?.[0]?.[0]).toBe(`T ${texts[8]}.`);
      expect(sheet?.[0]).toEqual(titles);
      // calamine does not decode noncharacters, and then reads their last underscore as the first of an escape.
      const isRead = (text: string): boolean => reader !== "calamine" || !/[\uFFFE\uFFFF]/.test(text);
      const wrong = texts.filter(
        (text, at) => isRead(text) && (sheet?.[at + 1]?.[0] !== text || sheet[at + 1]?.[1] !== `${text}1`),
      );
      expect(wrong).toEqual([]);
    }
  },
);

it("escapeXmlText makes no escapes and removes characters that XML forbids", () => {
  expect(escapeXmlText('_x0041_\u0001\uFFFE <&"> \uD800')).toBe("_x0041_ &lt;&amp;&quot;&gt; \uFFFD");
});
