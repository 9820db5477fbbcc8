import type { Attention, FoldedRowStream, ReportWarning, RowStream } from "@reports/core";
import { summaryOf, type FormatRenderer, type RenderContext, type RenderDocument } from "../format-renderer.ts";
import { type RowBlock, rowBlocks, rowOffset } from "../../wire/row-blocks.ts";
import type { ConvertedBlock } from "./block-conversion.ts";
import { type BlockConverter, createBlockConverter } from "./block-converter.ts";
import { stylesXml } from "./cell-styles.ts";
import { chartXml, drawingXml } from "./chart-xml.ts";
import { groupWarnings } from "../group-rows.ts";
import { summaryInWords } from "../summary-in-words.ts";
import { freeMemory } from "../../wire/own-memory.ts";
import { sheetName, tableHead, tableTail, textCell, valueCell } from "./sheet-parts.ts";
import { chartPlace, summarySheet } from "./summary-sheet.ts";
import * as parts from "./workbook-parts.ts";
import { type DeflatedPiece, deflatePiece, ZipWriter } from "./zip-writer.ts";

/** What a sheet holds (Excel's limit), less its header. */
const rowsPerSheet = 1_048_575;

/** xlsx (ECMA-376): a Summary sheet with native charts, what needs action, and the rows as typed cells; the next sheet where one is full. */
export const xlsxRenderer: FormatRenderer = createXlsxRenderer({ rowsPerSheet });

/** The renderer with sheets of another size, for tests. */
export function createXlsxRenderer(settings: { readonly rowsPerSheet: number }): FormatRenderer {
  return {
    async render(rows, document, sink, context) {
      const zip = new ZipWriter(sink);
      const summaryName = sheetName("Summary", []);
      const sheets: parts.SheetEntry[] = [{ name: summaryName, number: 1, table: null }];
      const written = await writeRows(zip, rows, document, context, { ...settings, sheets });
      // Rows may be summed up while they pass; what needs action is shown before them all the same.
      const rowsSummary = summaryInWords(summaryOf(rows), document.definition);
      const { attention } = rowsSummary;
      if (attention !== null && attention.rows.length > 0) {
        const entry = tableEntry(attention.title, sheets, attention.columns.length, attention.rows.length);
        await zip.add(`xl/worksheets/sheet${entry.number}.xml`, attentionSheet(attention));
        sheets.splice(1, 0, entry);
      }
      const own = written.shortenedCells > 0 ? [shortenedWarning(written.shortenedCells)] : [];
      for (const warning of own) context.warn(warning);
      const warnings = [...(rows.warnings ?? []), ...groupWarnings(document.request.options), ...own];
      const summary = summarySheet(rowsSummary, document, {
        name: summaryName,
        dataAsOf: rows.dataAsOf,
        rowCount: written.rowCount,
        warnings,
      });
      await zip.add("xl/worksheets/sheet1.xml", summary.xml);
      if (summary.charts.length > 0) {
        await zip.add("xl/worksheets/_rels/sheet1.xml.rels", parts.drawingRelationshipXml());
        await zip.add("xl/drawings/drawing1.xml", drawingXml(summary.charts, chartPlace.column, chartPlace.row));
        await zip.add("xl/drawings/_rels/drawing1.xml.rels", parts.chartRelationshipsXml(summary.charts.length));
      }
      for (const [index, chart] of summary.charts.entries())
        await zip.add(`xl/charts/chart${index + 1}.xml`, chartXml(chart));
      await zip.add("xl/styles.xml", stylesXml());
      await zip.add("xl/workbook.xml", parts.workbookXml(sheets));
      await zip.add("xl/_rels/workbook.xml.rels", parts.workbookRelationshipsXml(sheets));
      await zip.add("docProps/core.xml", parts.corePropertiesXml(document));
      await zip.add("_rels/.rels", parts.packageRelationshipsXml());
      await zip.add("[Content_Types].xml", parts.contentTypesXml(sheets, summary.charts.length));
      await zip.finish();
    },
  };
}

/** Writes the rows as one sheet or, where one is full, as several; appends them to `sheets`. */
async function writeRows(
  zip: ZipWriter,
  rows: RowStream | FoldedRowStream,
  { definition }: RenderDocument,
  context: RenderContext,
  target: { readonly rowsPerSheet: number; readonly sheets: parts.SheetEntry[] },
): Promise<{ readonly rowCount: number; readonly shortenedCells: number }> {
  const { columns } = rows;
  const converter = createBlockConverter(
    columns.map(({ kind, titles }) => (titles === undefined ? { kind } : { kind, titles })),
  );
  const supply: RowSupply = { blocks: rowBlocks(rows.bytes), rest: undefined };
  let rowCount = 0;
  let shortenedCells = 0;
  try {
    do {
      let sheetRows = 0;
      const counted = async function* (): AsyncGenerator<RowBlock> {
        for await (const block of takeRows(supply, target.rowsPerSheet)) {
          sheetRows += block.rows;
          context.onRows(rowCount + sheetRows);
          yield block;
        }
      };
      const pieces = async function* (): AsyncGenerator<DeflatedPiece> {
        yield deflatePiece(Buffer.from(tableHead(columns)), false);
        for await (const block of convertBlocks(converter, counted())) {
          shortenedCells += block.shortenedCells;
          yield block;
        }
        yield deflatePiece(Buffer.from(tableTail(columns, sheetRows)), true);
      };
      const number = target.sheets.length + 1;
      await zip.addPieces(`xl/worksheets/sheet${number}.xml`, pieces);
      target.sheets.push(tableEntry(definition.title, target.sheets, columns.length, sheetRows));
      rowCount += sheetRows;
    } while (supply.rest !== undefined);
  } finally {
    await converter.close();
  }
  return { rowCount, shortenedCells };
}

/** Blocks, and what is left of the block at a sheet's end. */
interface RowSupply {
  readonly blocks: AsyncGenerator<RowBlock, void>;
  rest: RowBlock | undefined;
}

/** Takes so many rows, fewer only where there are no more; leaves the beginning of what follows in `rest`. */
async function* takeRows(supply: RowSupply, rowLimit: number): AsyncGenerator<RowBlock> {
  const next = async (): Promise<RowBlock | undefined> => {
    const result = await supply.blocks.next();
    return result.done === true ? undefined : result.value;
  };
  let block = supply.rest ?? (await next());
  supply.rest = undefined;
  for (let room = rowLimit; block !== undefined; block = await next()) {
    if (block.rows > room) {
      const cut = rowOffset(block.bytes, room);
      if (room > 0) yield { bytes: block.bytes.subarray(0, cut), rows: room };
      supply.rest = { bytes: block.bytes.subarray(cut), rows: block.rows - room };
      return;
    }
    room -= block.rows;
    yield block;
  }
}

/** Converts several blocks at once and hands them on in their order. What was handed on is gone when the next one is asked for. */
async function* convertBlocks(
  converter: BlockConverter,
  blocks: AsyncIterable<RowBlock>,
): AsyncGenerator<ConvertedBlock> {
  const underWay: Promise<ConvertedBlock>[] = [];
  for await (const block of blocks) {
    const converted = converter.convert(block.bytes);
    // A failure is reported when its block is due, and not at all when an earlier block failed.
    converted.catch(() => undefined);
    underWay.push(converted);
    const oldest = underWay.length >= converter.maxBlocks ? underWay.shift() : undefined;
    if (oldest !== undefined) yield* once(await oldest);
  }
  for (const converted of underWay) yield* once(await converted);
}

function* once(block: ConvertedBlock): Generator<ConvertedBlock> {
  yield block;
  freeMemory(block.deflated);
}

function attentionSheet(attention: Attention): string {
  const { columns, rows, total } = attention;
  const lines = rows.map(
    (row) => `<row>${columns.map((column, index) => valueCell(column, row[index] ?? null)).join("")}</row>`,
  );
  const more =
    total > rows.length
      ? `<row/><row>${textCell(`${rows.length} of ${total} are shown here; the rows that follow hold all of them.`)}</row>`
      : "";
  return `${tableHead(columns)}${lines.join("")}${more}${tableTail(columns, rows.length)}`;
}

function tableEntry(
  title: string,
  sheets: readonly parts.SheetEntry[],
  columns: number,
  rows: number,
): parts.SheetEntry {
  const name = sheetName(
    title,
    sheets.map((sheet) => sheet.name),
  );
  return { name, number: sheets.length + 1, table: { columns, rows } };
}

function shortenedWarning(cells: number): ReportWarning {
  const [hold, end] =
    cells === 1 ? ["cell holds", "it was shortened and ends"] : ["cells hold", "they were shortened and end"];
  const message = `${cells} ${hold} more than the 32767 characters of an Excel cell; ${end} with “…”. csv, json and ndjson hold them whole.`;
  return { code: "TEXTS_SHORTENED", message };
}
