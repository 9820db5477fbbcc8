import { workbookReaders, type CellFromReader, type WorkbookFromReader } from "./workbook-readers.fixture.ts";

const rawValue = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\bInvalid Date\b|###/;

export async function findWorkbookDefects(
  path: string,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Promise<readonly string[]> {
  const expected = await workbookReaders["SheetJS"]!.read(path);
  const faults: string[] = [];
  const sheets = Object.values(expected);
  if (rows > 0 && !sheets.some((sheet) => sheet.length === rows + 1 && sheet[0]!.length === columns))
    faults.push(`no sheet of ${rows} rows and ${columns} columns`);
  const raw = sheets.flat(2).find((cell) => typeof cell === "string" && rawValue.test(cell));
  if (raw !== undefined) faults.push(`raw value “${raw}”`);
  for (const [name, reader] of Object.entries(workbookReaders)) {
    if (!reader.isInstalled) continue;
    const found = await reader.read(path);
    const difference =
      reader.showsTextOnly === true
        ? compareSizes(expected, found)
        : compareCells(expected, found, reader.breaksCharacters === true ? isBrokenText : () => false);
    if (difference !== null) faults.push(`${name}: ${difference}`);
  }
  return faults;
}

/** Reports whether two cells are times that differ by at most 10 ms. Readers round the fraction of a day or cut it. */
function areNearTimes(one: CellFromReader, other: CellFromReader): boolean {
  return Math.abs(Date.parse(`${one}Z`) - Date.parse(`${other}Z`)) <= 10;
}

/** Reports whether a text is the other one with a character that was broken between two chunks. */
function isBrokenText(one: CellFromReader, other: CellFromReader): boolean {
  const [before, after, ...more] = String(other).split(/\uFFFD+/);
  const text = String(one);
  return after !== undefined && more.length === 0 && text.startsWith(before!) && text.endsWith(after);
}

function compareSizes(expected: WorkbookFromReader, found: WorkbookFromReader): string | null {
  const sizesOf = (book: WorkbookFromReader): string =>
    Object.values(book)
      .map((rows) => rows.map((row) => row.length).join())
      .toSorted()
      .join(";");
  return sizesOf(expected) === sizesOf(found) ? null : "other rows or columns";
}

function compareCells(
  expected: WorkbookFromReader,
  found: WorkbookFromReader,
  isKnownDifference: (one: CellFromReader, other: CellFromReader) => boolean,
): string | null {
  // The names are sorted, because the stream of exceljs yields sheets in stored order, other readers in the order of the workbook.
  const sheetsOf = (book: WorkbookFromReader): string => Object.keys(book).toSorted().join();
  if (sheetsOf(expected) !== sheetsOf(found)) return `sheets ${sheetsOf(found)}`;
  for (const [sheet, rows] of Object.entries(expected))
    for (let row = 0; row < Math.max(rows.length, found[sheet]!.length); row++)
      for (let at = 0; at < Math.max(rows[row]?.length ?? 0, found[sheet]![row]?.length ?? 0); at++) {
        const [one = null, other = null] = [rows[row]?.[at], found[sheet]![row]?.[at]];
        if (one !== other && !areNearTimes(one, other) && !isKnownDifference(one, other))
          return `${sheet}, row ${row + 1}, column ${at + 1}: ${other} instead of ${one}`;
      }
  return null;
}
