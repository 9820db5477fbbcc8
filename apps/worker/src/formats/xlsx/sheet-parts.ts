import { Buffer } from "node:buffer";
import type { ColumnKind, ReportColumn } from "@reports/core/report";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { fieldForms } from "../../wire/scan-fields.ts";
import { createTitleLookup } from "../value-titles.ts";
import { cellStyles, headerStyleOfKind, toneFormats, type WorkbookLook } from "./cell-styles.ts";
import { columnName } from "./column-name.ts";
import type { DateCodes } from "./date-codes.ts";
import { pageSetup, type PrintedSheet } from "./page-setup.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { headersOf, tableRange } from "./table-part.ts";
import { xmlText } from "./xml-text.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const maxColumnWidth = 80;
/** Room for the button of the filter. */
const buttonWidth = 4;
const dateWidth = 10;
/** Texts are longer than usual more often than numbers are. */
const textRoom = 1.15;

/**
 * Returns the first bytes of a sheet, which `sheetStart` continues.
 * @param dimension the range of all cells; null where the number of rows is not exact: some readers ignore the rows beyond it.
 */
export function sheetOpening(dimension: string | null): string {
  return `${declaration}<worksheet ${namespaces}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${dimension === null ? "" : `<dimension ref="${dimension}"/>`}`;
}

/** Returns the opening of a sheet with spaces in place of its dimension: as many bytes without a claim. */
export function withoutDimension(opening: string): string {
  return opening.replace(/<dimension [^<>]*>/, (tag) => " ".repeat(tag.length));
}

/** Returns what follows the opening of a table's sheet: header and first column frozen, widths, header cells. */
export function tableHead(columns: readonly ReportColumn[], look: Pick<WorkbookLook, "dates">): string {
  const headers = headersOf(columns);
  const cells = columns.map((column, at) => textCell(headers[at] ?? column.title, headerStyleOfKind(column.kind)));
  const frozen =
    '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight" activeCell="B2" sqref="B2"/>';
  return `${sheetStart(widthsOf(columns, look), frozen)}${rowOf(1, cells, ' ht="21" customHeight="1"')}`;
}

/** What stands after the last row of a table: its filter, the colours of its tones, how it prints. */
export function tableTail(
  columns: readonly ReportColumn[],
  rowCount: number,
  look: Pick<WorkbookLook, "dates">,
  printed: PrintedSheet,
): string {
  const range = tableRange(columns.length, rowCount);
  // The table that a sheet with rows has brings its own filter.
  const filter = rowCount === 0 ? `<autoFilter ref="${range}"/>` : "";
  const table = rowCount === 0 ? "" : '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';
  // Numbers that a cell cannot hold to the last digit stand there as text, on purpose.
  const onPurpose = `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`;
  return `</sheetData>${filter}${toneRules(columns, rowCount)}${pageSetup(printed, widthsOf(columns, look))}${onPurpose}${table}</worksheet>`;
}

/** Returns what follows the opening of a sheet, up to its rows. `view` and `viewAttributes` are the content and the attributes of its view. */
export function sheetStart(widths: readonly number[], view: string, viewAttributes = ""): string {
  const cols = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return `<sheetViews><sheetView${viewAttributes} workbookViewId="0">${view}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols.join("")}</cols><sheetData>`;
}

/** Returns the rows of a small table, below its header. Their times are in the time zone of the report. */
export function tableRows(
  columns: readonly ReportColumn[],
  rows: readonly (readonly (string | null)[])[],
  look: Pick<WorkbookLook, "dates">,
): string {
  const out = new ByteBuffer(4096);
  const encoder = createSheetEncoder(sheetColumns(columns, look), out, null);
  encoder.startAt(2);
  for (const row of rows) {
    for (const at of columns.keys()) {
      const value = row[at] ?? null;
      const bytes = Buffer.from(value ?? "", "utf8");
      encoder.field(at, bytes, 0, bytes.length, value === null ? fieldForms.bare : fieldForms.quoted);
    }
    encoder.endRow();
  }
  return out.view().toString("utf8");
}

/** What the encoder of rows has to know of the columns. */
export function sheetColumns(columns: readonly ReportColumn[], look: Pick<WorkbookLook, "dates">): SheetColumn[] {
  const widths = widthsOf(columns, look);
  return columns.map(({ kind, titles }, at) => ({
    kind,
    width: widths[at] as number,
    ...(titles === undefined ? {} : { titles }),
  }));
}

/** A cell, once its place is known: its column, from 0, and the number of its row. Empty for no cell. */
export type Cell = (column: number, row: number) => string;

/** Returns a row of cells, the first of which is in column A. `attributes` begins with a space. */
export function rowOf(row: number, cells: readonly Cell[], attributes = ""): string {
  return `<row r="${row}"${attributes}>${cells.map((cell, column) => cell(column, row)).join("")}</row>`;
}

/** Makes a text cell. */
export function textCell(text: string, style: number = cellStyles.plain): Cell {
  return (column, row) =>
    `<c r="${columnName(column)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Makes a typed cell of a value in the text form of the wire form. It cannot be the first of its row. */
export function valueCell(kind: ColumnKind, value: string | null): Cell {
  return (column, row) => {
    const out = new ByteBuffer(256);
    const bytes = Buffer.from(value ?? "", "utf8");
    const encoder = createSheetEncoder([...Array.from({ length: column }, () => ({ kind })), { kind }], out, null);
    encoder.startAt(row);
    encoder.field(column, bytes, 0, bytes.length, value === null ? fieldForms.bare : fieldForms.quoted);
    return out.view().toString("utf8");
  };
}

/** In characters: titles of columns and values are whole, dates are as the locale writes them, and most texts stand on one line. */
function widthsOf(columns: readonly ReportColumn[], { dates }: Pick<WorkbookLook, "dates">): number[] {
  return columns.map(({ kind, width, title, titles = {} }) => {
    const least = leastWidth(kind, titles, dates);
    const wanted = kind === "text" || kind === "list" ? Math.ceil(width * textRoom) : width;
    return Math.min(Math.max(wanted, title.length + buttonWidth, least), maxColumnWidth);
  });
}

function leastWidth(kind: ColumnKind, titles: Readonly<Record<string, string>>, dates: DateCodes): number {
  switch (kind) {
    case "timestamp":
      return dates.timestampWidth + 2;
    case "date":
      return dateWidth + 2;
    case "text":
      return longest(titles) + 1;
    default:
      return 0;
  }
}

function longest(titles: Readonly<Record<string, string>>): number {
  return Math.max(0, ...Object.values(titles).map(({ length }) => length));
}

function toneRules(columns: readonly ReportColumn[], rowCount: number): string {
  if (rowCount === 0) return "";
  let priority = 0;
  return columns
    .map(({ tones, titles }, index) => {
      if (tones === undefined) return "";
      const letter = columnName(index);
      const titleOf = createTitleLookup(titles);
      const rules = Object.entries(tones).map(
        ([value, tone]) =>
          `<cfRule type="cellIs" dxfId="${toneFormats[tone]}" priority="${++priority}" operator="equal"><formula>${xmlText(`"${titleOf(value).replaceAll('"', '""')}"`)}</formula></cfRule>`,
      );
      return `<conditionalFormatting sqref="${letter}2:${letter}${rowCount + 1}">${rules.join("")}</conditionalFormatting>`;
    })
    .join("");
}
