import { Buffer } from "node:buffer";
import type { FoldedRowStream, ReportColumn, RowStream } from "@reports/core/report";
import { parseRows } from "../../wire/read-rows.ts";
import { type RowBlock, readRowBlocks } from "../../wire/row-blocks.ts";
import type { RenderContext, DocumentInput } from "../format-renderer.ts";
import { selectLinkAndCurrencyKeys } from "../group-rows.ts";
import type { DeflatedLinks } from "./block-conversion.ts";
import { createThreadedBlockConverter } from "./threaded-block-converter.ts";
import { convertBlocks, takeRows, type RemainingRowBlocks } from "./convert-rows.ts";
import type { NumberStyles } from "./column-cell-styles.ts";
import type { DateFormatCodes } from "./date-format-codes.ts";
import { sampledRowCount, widenColumnsToFitRows } from "./measured-columns.ts";
import { applyByteSizeUnits } from "./byte-size-units.ts";
import type { PrintSetup } from "./page-setup.ts";
import { createSheetName } from "./sheet-name.ts";
import {
  toSheetColumns,
  sheetOpeningXml,
  tableHeadXml,
  tableTailXml,
  replaceDimensionBySpaces,
} from "./sheet-parts.ts";
import { toTableRange, tableXml } from "./table-part.ts";
import type { Words } from "../words/words.ts";
import { sheetRelationshipsXml, type SheetEntry } from "./workbook-parts.ts";
import { type DeflatedPiece, deflatePiece, createUncompressedPiece, type ZipWriter } from "./zip-writer.ts";

/** Bytes of XML after which the next sheet begins. A sheet's ZIP entry, with the blocks in progress, then stays below 4 GiB. */
const bytesPerSheet = 3.5 * 1024 ** 3;

export interface SheetLimits {
  readonly rowsPerSheet: number;
  readonly bytesPerSheet?: number;
}

export async function writeRowSheets(
  zip: ZipWriter,
  rows: RowStream | FoldedRowStream,
  { definition, request }: DocumentInput,
  context: RenderContext,
  target: SheetLimits & {
    readonly sheets: SheetEntry[];
    readonly dates: DateFormatCodes;
    readonly numbers: NumberStyles;
    readonly words: Words;
    readonly printed: PrintSetup;
  },
): Promise<{ readonly rowCount: number; readonly shortenedCells: number; readonly omittedLinks: number }> {
  const supply: RemainingRowBlocks = { blocks: readRowBlocks(rows.bytes), rest: undefined };
  const first = await supply.blocks.next();
  if (first.done !== true) supply.rest = first.value;
  const read = fitColumnsToRows(rows.columns, supply.rest?.bytes ?? Buffer.alloc(0), context.largestSizes);
  // Columns after those of the table are read only for the URLs of links and the currencies of amounts.
  const columns = read.slice(0, read.length - selectLinkAndCurrencyKeys(request.options, rows).length);
  const converter = createThreadedBlockConverter(
    toSheetColumns(read, target, columns.length),
    request.options.timezone,
  );
  let rowCount = 0;
  let shortenedCells = 0;
  let omittedLinks = 0;
  try {
    do {
      const expectedRows = expectedRowCount(rows, rowCount, target);
      let sheetRows = 0;
      let sheetBytes = 0;
      const links: DeflatedLinks[] = [];
      const isFull = (): boolean => sheetBytes >= (target.bytesPerSheet ?? bytesPerSheet);
      const counted = async function* (): AsyncGenerator<RowBlock> {
        for await (const block of takeRows(supply, target.rowsPerSheet, isFull)) {
          sheetRows += block.rows;
          context.onRows(rowCount + sheetRows);
          yield block;
        }
      };
      const pieces = async function* (): AsyncGenerator<DeflatedPiece> {
        const opening = sheetOpeningXml(expectedRows === null ? null : toTableRange(columns.length, expectedRows));
        yield createUncompressedPiece(Buffer.from(opening), () =>
          sheetRows === expectedRows ? null : Buffer.from(replaceDimensionBySpaces(opening)),
        );
        yield deflatePiece(Buffer.from(tableHeadXml(columns, target)), false);
        // The first row of the report is row 2 of the sheet, below the header.
        for await (const block of convertBlocks(converter, counted(), 2)) {
          shortenedCells += block.shortenedCells;
          omittedLinks += block.omittedLinks;
          if (block.links !== null) links.push(block.links);
          sheetBytes += block.plainBytes;
          yield block;
        }
        const [beforeLinks, afterLinks] = tableTailXml(columns, sheetRows, target, target.printed);
        yield deflatePiece(Buffer.from(`${beforeLinks}${links.length === 0 ? "" : "<hyperlinks>"}`), false);
        for (const { hyperlinks } of links) yield hyperlinks;
        yield deflatePiece(Buffer.from(`${links.length === 0 ? "" : "</hyperlinks>"}${afterLinks}`), true);
      };
      const number = target.sheets.length + 1;
      await zip.addPieces(`xl/worksheets/sheet${number}.xml`, pieces);
      const entry = createSheetEntry(definition.title, target.sheets, columns.length, sheetRows);
      await addTablePart(zip, entry, columns, links);
      target.sheets.push(entry);
      rowCount += sheetRows;
    } while (supply.rest !== undefined);
  } finally {
    await converter.close();
  }
  return { rowCount, shortenedCells, omittedLinks };
}

/** Chooses widths and units of sizes by the first rows. Parses them once. */
function fitColumnsToRows(
  columns: readonly ReportColumn[],
  firstBytes: Buffer,
  largestSizes: RenderContext["largestSizes"],
): readonly ReportColumn[] {
  const firstRows = [...parseRows(firstBytes).take(sampledRowCount)];
  return applyByteSizeUnits(widenColumnsToFitRows(columns, firstRows), firstRows, largestSizes);
}

/** Returns the number of rows of the next sheet; null if unknown, because rows from objects may not match their announced count. */
function expectedRowCount(
  { summary, rowsTotal }: RowStream | FoldedRowStream,
  rowsBefore: number,
  { rowsPerSheet }: SheetLimits,
): number | null {
  if (typeof summary === "function" || rowsTotal === null || rowsTotal < rowsBefore) return null;
  return Math.min(rowsTotal - rowsBefore, rowsPerSheet);
}

export async function addTablePart(
  zip: ZipWriter,
  { number, table }: SheetEntry,
  columns: readonly ReportColumn[],
  links: readonly DeflatedLinks[],
): Promise<void> {
  if (table === null || table.rows === 0) return;
  await zip.add(`xl/tables/table${number}.xml`, tableXml(number, columns, table.rows));
  const [start, end] = sheetRelationshipsXml(number);
  await zip.addPieces(`xl/worksheets/_rels/sheet${number}.xml.rels`, async function* () {
    yield deflatePiece(Buffer.from(start), false);
    for (const { relationships } of links) yield relationships;
    yield deflatePiece(Buffer.from(end), true);
  });
}

export function createSheetEntry(
  title: string,
  sheets: readonly SheetEntry[],
  columns: number,
  rows: number,
): SheetEntry {
  const name = createSheetName(
    title,
    sheets.map((sheet) => sheet.name),
  );
  return { name, number: sheets.length + 1, table: { columns, rows } };
}
