import { Buffer } from "node:buffer";
import {
  isNumericKind,
  toSingularUnit,
  withoutExponent,
  type ColumnKind,
  type NumberTone,
  type ReportColumn,
} from "@reports/core/report";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { fieldQuotings } from "../../wire/scan-fields.ts";
import { createBooleanTitles, createTitleLookup } from "../value-titles.ts";
import type { Words } from "../words/words.ts";
import { cellStyleIndexes } from "./cell-style-indexes.ts";
import { toneDxfIds, type ColumnCellStyles, type WorkbookStyle } from "./column-cell-styles.ts";
import { toColumnLetters } from "./to-column-letters.ts";
import type { DateFormatCodes } from "./date-format-codes.ts";
import { secondsPerDay } from "./duration-serial.ts";
import { pageSetupXml, type PrintSetup } from "./page-setup.ts";
import type { LinkXml } from "./deflated-links.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { createUniqueHeaders, toTableRange } from "./table-part.ts";
import { escapeXstring } from "./escape-xstring.ts";

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const maxColumnWidth = 80;
const filterButtonWidth = 4;
const dateWidth = 10;
const currencyWidth = 4;
/** Factor by which columns of text are widened, because texts exceed their usual length more often than numbers. */
const textWidthFactor = 1.15;

/** Returns the first bytes of a sheet. `dimension` is the range of all cells; null if unknown, because readers may ignore rows beyond it. */
export function sheetOpeningXml(dimension: string | null): string {
  return `${xmlDeclaration}<worksheet ${namespaces}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${dimension === null ? "" : `<dimension ref="${dimension}"/>`}`;
}

/** Replaces the dimension in a sheet's first bytes by spaces. These bytes are already in the file, so their length must stay the same. */
export function replaceDimensionBySpaces(opening: string): string {
  return opening.replace(/<dimension [^<>]*>/, (tag) => " ".repeat(tag.length));
}

export function tableHeadXml(
  columns: readonly ReportColumn[],
  style: Pick<WorkbookStyle, "dates" | "numbers">,
): string {
  const headers = createUniqueHeaders(columns);
  const cells = columns.map((column, at) =>
    createTextCellWriter(headers[at] ?? column.title, style.numbers.header(column)),
  );
  const frozen =
    '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight" activeCell="B2" sqref="B2"/>';
  return `${sheetViewXml(columnWidths(columns, style), frozen)}${rowXml(1, cells, ' ht="21" customHeight="1"')}`;
}

/** Returns the XML after a table's last row in two parts: filter and tone colours, then print setup. The links of the rows go between them. */
export function tableTailXml(
  columns: readonly ReportColumn[],
  rowCount: number,
  style: Pick<WorkbookStyle, "dates" | "numbers">,
  printed: PrintSetup,
): readonly [beforeLinks: string, afterLinks: string] {
  const range = toTableRange(columns.length, rowCount);
  // With rows, the table part declares the filter. Without rows, the sheet has no table part.
  const filter = rowCount === 0 ? `<autoFilter ref="${range}"/>` : "";
  const table = rowCount === 0 ? "" : '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>';
  // Numbers that a cell cannot hold exactly are texts. Excel must not warn about them.
  const ignoredErrors = `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`;
  return [
    `</sheetData>${filter}${toneRulesXml(columns, rowCount)}`,
    `${pageSetupXml(printed, columnWidths(columns, style))}${ignoredErrors}${table}</worksheet>`,
  ];
}

export function sheetViewXml(widths: readonly number[], view: string, viewAttributes = ""): string {
  const cols = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return `<sheetViews><sheetView${viewAttributes} workbookViewId="0">${view}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols.join("")}</cols><sheetData>`;
}

/** Returns the rows of a small table, below its header. Their times must already be in the report's time zone. */
export function createTableRowsXml(
  columns: readonly ReportColumn[],
  rows: readonly (readonly (string | null)[])[],
  style: Pick<WorkbookStyle, "dates" | "numbers"> & { readonly words: Words },
): { readonly xml: string; readonly links: LinkXml | null } {
  const out = new ByteBuffer(4096);
  const encoder = createSheetEncoder(toSheetColumns(columns, style), out, null);
  encoder.startAt(2);
  for (const row of rows) {
    for (const at of columns.keys()) {
      const value = row[at] ?? null;
      const bytes = Buffer.from(value ?? "", "utf8");
      encoder.field(at, bytes, 0, bytes.length, value === null ? fieldQuotings.bare : fieldQuotings.quoted);
    }
    encoder.endRow();
  }
  return { xml: out.view().toString("utf8"), links: encoder.takeLinks() };
}

export function toSheetColumns(
  columns: readonly ReportColumn[],
  style: Pick<WorkbookStyle, "dates" | "numbers"> & { readonly words: Words },
  shownCount = columns.length,
): SheetColumn[] {
  const widths = columnWidths(columns, style);
  return columns.map((column, at) => {
    const { kind, currency, link } = column;
    const titles = kind === "boolean" ? createBooleanTitles(style.words) : column.titles;
    const linkField = columns.findIndex(({ key }) => key === link?.column);
    const currencyField =
      typeof currency === "object" ? columns.findIndex(({ key }) => key === currency.column) : undefined;
    return {
      kind,
      width: widths[at] as number,
      ...(titles === undefined ? {} : { titles }),
      ...(at >= shownCount ? { isHidden: true } : linkField < 0 ? {} : { linkField }),
      ...style.numbers.cells(column),
      ...(currencyField === undefined ? {} : { currencyField }),
    };
  });
}

/** Returns the XML of a cell at a column (from 0) and a row (from 1), or an empty text if there is no cell. */
export type CellWriter = (column: number, row: number) => string;

/** Returns a row of cells from column A on. `attributes` is empty or begins with a space. */
export function rowXml(row: number, cells: readonly CellWriter[], attributes = ""): string {
  return `<row r="${row}"${attributes}>${cells.map((cell, column) => cell(column, row)).join("")}</row>`;
}

export function createTextCellWriter(text: string, style: number = cellStyleIndexes.plain): CellWriter {
  return (column, row) =>
    `<c r="${toColumnLetters(column)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXstring(text)}</t></is></c>`;
}

/** Returns the writer of a typed cell for a value in the wire form. Do not use it in column A, because there the encoder also begins a row. */
export function createValueCellWriter(
  kind: ColumnKind,
  value: string | null,
  styles: ColumnCellStyles = {},
): CellWriter {
  return (column, row) => {
    const out = new ByteBuffer(256);
    const bytes = Buffer.from(value ?? "", "utf8");
    const encoder = createSheetEncoder(
      [...Array.from({ length: column }, () => ({ kind })), { kind, ...styles }],
      out,
      null,
    );
    encoder.startAt(row);
    encoder.field(column, bytes, 0, bytes.length, value === null ? fieldQuotings.bare : fieldQuotings.quoted);
    return out.view().toString("utf8");
  };
}

/** Maximum number of characters by which the translation of a countable unit can be longer than the English unit: weeks, semaines. */
const unitGrowth = 3;

function columnWidths(columns: readonly ReportColumn[], { dates }: Pick<WorkbookStyle, "dates">): number[] {
  return columns.map(({ kind, width, title, titles = {}, unit = "", currency }) => {
    const least = minColumnWidth(kind, titles, dates);
    const unitWidth =
      currency === undefined ? unit.length + (toSingularUnit(unit) === null ? 0 : unitGrowth) : currencyWidth;
    const wanted = kind === "text" || kind === "list" ? Math.ceil(width * textWidthFactor) : width + unitWidth;
    const titleWidth = title.length + filterButtonWidth + (isNumericKind(kind) ? 1 : 0);
    return Math.min(Math.max(wanted, titleWidth, least), maxColumnWidth);
  });
}

function minColumnWidth(kind: ColumnKind, titles: Readonly<Record<string, string>>, dates: DateFormatCodes): number {
  switch (kind) {
    case "timestamp":
      return dates.timestampWidth + 2;
    case "date":
      return dateWidth + 2;
    case "time":
      return dates.timeWidth + 2;
    case "text":
      return longestTitle(titles) + 1;
    default:
      return 0;
  }
}

function longestTitle(titles: Readonly<Record<string, string>>): number {
  return Math.max(0, ...Object.values(titles).map(({ length }) => length));
}

function toneRulesXml(columns: readonly ReportColumn[], rowCount: number): string {
  if (rowCount === 0) return "";
  let priority = 0;
  return columns
    .map(({ kind, tones, titles, tonesByNumber }, index) => {
      const letter = toColumnLetters(index);
      const range = `${letter}2:${letter}${rowCount + 1}`;
      if (tonesByNumber !== undefined) {
        const rules = tonesByNumber.map((tone) => numberRuleXml(tone, { cell: `${letter}2`, kind }, ++priority));
        return `<conditionalFormatting sqref="${range}">${rules.join("")}</conditionalFormatting>`;
      }
      if (tones === undefined) return "";
      const titleOf = createTitleLookup(titles);
      const rules = Object.entries(tones).map(
        ([value, tone]) =>
          `<cfRule type="cellIs" dxfId="${toneDxfIds[tone]}" priority="${++priority}" operator="equal"><formula>${escapeXstring(`"${titleOf(value).replaceAll('"', '""')}"`)}</formula></cfRule>`,
      );
      return `<conditionalFormatting sqref="${range}">${rules.join("")}</conditionalFormatting>`;
    })
    .join("");
}

/**
 * Returns the conditional formatting of a tone by number. It also reads numbers in texts, because numbers that a cell cannot hold exactly are
 * texts. The first matching rule applies.
 */
function numberRuleXml(
  { atLeast, below, tone }: NumberTone,
  { cell, kind }: { readonly cell: string; readonly kind: ColumnKind },
  priority: number,
): string {
  // Bounds of durations are in seconds, but cells are in days. Rounding removes the error of the binary fraction.
  const number = kind === "duration" ? `ROUND(${cell}*${secondsPerDay},6)` : cell;
  const value = `IF(ISNUMBER(${cell}),${number},_xlfn.NUMBERVALUE(${cell},".",","))`;
  const tests = [
    `${cell}<>""`,
    ...(atLeast === undefined ? [] : [`${value}>=${writeNumber(atLeast)}`]),
    ...(below === undefined ? [] : [`${value}<${writeNumber(below)}`]),
  ];
  const formula = escapeXstring(`AND(${tests.join(",")})`);
  return `<cfRule type="expression" dxfId="${toneDxfIds[tone]}" priority="${priority}" stopIfTrue="1"><formula>${formula}</formula></cfRule>`;
}

function writeNumber(bound: number): string {
  return withoutExponent(String(bound));
}
