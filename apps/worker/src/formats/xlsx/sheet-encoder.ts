import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core/report";
import { ByteBuffer, toAlignedBytes, type AlignedBytes } from "../../wire/byte-buffer.ts";
import { createLocalTimeAppender } from "../../wire/local-times.ts";
import { appendUndoubledQuotes, fieldQuotings, type FieldQuoting, type RowEncoder } from "../../wire/scan-fields.ts";
import { createTextArrayScanner } from "../../wire/scan-list.ts";
import { hasRightToLeftLetters, needsForcedLeftToRight } from "../text-direction.ts";
import { selectByteSizeCellStart } from "./bytes-cells.ts";
import { byteSizeStyleIndexes, cellStyleIndexes, toCellStyleIndex } from "./cell-style-indexes.ts";
import type { ColumnCellStyles } from "./column-cell-styles.ts";
import { createCurrencyStyleWriter } from "./currency-style-writer.ts";
import { toColumnLetters } from "./to-column-letters.ts";
import { excelSerialAppenders } from "./day-serials.ts";
import { findExactNumberEnd } from "./exact-number.ts";
import { estimateLineCount, rowHeightAttributes } from "./line-count.ts";
import { AlignedRowNumber } from "./aligned-row-number.ts";
import { LinkCollector, type LinkXml } from "./deflated-links.ts";
import { createTitleFinder } from "./titled-values.ts";
import {
  toTextCellBytes,
  createTextCellStarts,
  emptyTextCell,
  inlineTextCellEnd,
  leftToRightInlineStart,
  leftToRightTextStart,
  type TextCellStarts,
} from "./text-cells.ts";
import { appendXmlText } from "./escape-xstring.ts";

/** Excel's maximum length of a cell, in UTF-16 code units. */
const maxCellLength = 32_767;
const rowStart = toAlignedBytes('<row r="');
const rowStartEnd = toAlignedBytes('">');
const rowEnd = toAlignedBytes("</row>");
/** Excel measures column widths in digits, and letters are narrower. */
const charactersPerWidth = 1.15;
const numberAsTextStart = toAlignedBytes(`" s="${cellStyleIndexes.numberAsText}" t="str"><v>`);
const styleOffset = '" s="'.length;
const valueEnd = toAlignedBytes("</v></c>");
const listSeparator = Buffer.from("; ");

/** Encodes rows as `row` elements. Rows and cells contain their positions, which several readers need. */
export interface SheetEncoder extends RowEncoder {
  /** Sets the sheet row of the next row, from 1. */
  startAt(row: number): void;
  takeLinks(): LinkXml | null;
  readonly shortenedCells: number;
}

export interface SheetColumn extends Pick<ReportColumn, "kind" | "titles">, ColumnCellStyles {
  /** Index of the field with the currency of the row; -1 if the sheet does not have it. */
  readonly currencyField?: number;
  /** Width in characters, which decides the height of rows. Without a width, rows are one line high. */
  readonly width?: number;
  readonly linkField?: number;
  /** Set if the field holds only URLs of links or currencies of amounts. The sheet has no column for it. */
  readonly isHidden?: true;
}

/** Returns the encoder of a sheet's rows, beginning at row 1. Times are converted to `timezone`; null leaves them unchanged. */
export function createSheetEncoder(
  columns: readonly SheetColumn[],
  out: ByteBuffer,
  timezone: string | null,
): SheetEncoder {
  const appendLocal = timezone === null ? null : createLocalTimeAppender(timezone);
  const local = new ByteBuffer(64);
  const kinds = columns.map(({ kind }) => kind);
  const lineWidths = columns.map(({ width = Infinity }) => Math.floor(width * charactersPerWidth));
  // A boolean is written as text, because Excel would show a typed one as TRUE or FALSE in its user's language, in every number format.
  const booleanCells = (wire: "t" | "f") =>
    columns.map(({ kind, titles, style = cellStyleIndexes.boolean }) =>
      kind === "boolean" ? toTextCellBytes(titles?.[wire] ?? wire, style) : undefined,
    );
  const [trueCells, falseCells] = [booleanCells("t"), booleanCells("f")];
  const titledCells = columns.map(({ titles, style }) =>
    createTitleFinder(titles, (title) => toTextCellBytes(title, style)),
  );
  const titledElements = columns.map(({ titles }) => createTitleFinder(titles, (title) => Buffer.from(title)));
  const numberStarts = columns.map(({ kind, style = toCellStyleIndex(kind) }) => toAlignedBytes(`" s="${style}"><v>`));
  const textStarts = columns.map(({ style = cellStyleIndexes.text }) => createTextCellStarts(style));
  const bytesStarts = columns.map((column) =>
    (column.bytesStyles ?? byteSizeStyleIndexes).map((style) => toAlignedBytes(`" s="${style}"><v>`)),
  );
  const currencies = createCurrencyStyleWriter(columns, out);
  const cellStarts = columns.map((_, at) => toAlignedBytes(`<c r="${toColumnLetters(at)}`));
  const literal = new ByteBuffer(1024);
  const joined = new ByteBuffer(1024);
  const scanList = createTextArrayScanner();
  const links = columns.some(({ linkField }) => linkField !== undefined) ? new LinkCollector(columns) : null;
  let rowNumber = 1;
  let shortenedCells = 0;
  const row = new AlignedRowNumber(1);
  let rowTagEnd = 0;
  let rowLines = 1;

  function appendCell(column: number, rest: AlignedBytes): void {
    out.appendWords(cellStarts[column] as AlignedBytes);
    out.appendWords(row);
    out.appendWords(rest);
  }

  function appendText(column: number, bytes: Uint8Array, start: number, end: number, form: FieldQuoting): void {
    const isDoubled = form === fieldQuotings.doubled;
    const width = lineWidths[column] as number;
    // Only a text that may need several lines is measured. An unquoted field has no line breaks and at most as many characters as bytes.
    if (end - start > width || (form !== fieldQuotings.bare && width !== Infinity))
      rowLines = Math.max(rowLines, estimateLineCount(bytes, start, end, width));
    if (end - start > maxCellLength) {
      appendLongText(column, bytes, start, end, isDoubled);
      return;
    }
    if (start === end) {
      appendCell(column, emptyTextCell);
      return;
    }
    const isSpaced = (bytes[start] as number) <= 0x20 || (bytes[end - 1] as number) <= 0x20;
    const starts = textStarts[column] as TextCellStarts;
    appendString(column, isSpaced ? starts.spaced : starts.plain, bytes, start, end, isDoubled);
  }

  function appendString(
    column: number,
    tag: AlignedBytes,
    bytes: Uint8Array,
    start: number,
    end: number,
    isDoubled: boolean,
  ): void {
    const cellAt = out.length;
    const isFromLeft =
      hasRightToLeftLetters(bytes, start, end) &&
      needsForcedLeftToRight(Buffer.from(bytes.subarray(start, end)).toString("utf8"));
    appendCell(column, isFromLeft ? leftToRightTextStart : tag);
    if (!appendXmlText(out, bytes, start, end, isDoubled)) {
      out.appendWords(valueEnd);
      return;
    }
    out.length = cellAt;
    appendCell(column, isFromLeft ? leftToRightInlineStart : (textStarts[column] as TextCellStarts).inline);
    appendXmlText(out, bytes, start, end, isDoubled);
    out.appendWords(inlineTextCellEnd);
  }

  function appendLongText(column: number, bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    const raw = Buffer.from(bytes.subarray(start, end)).toString("utf8");
    let text = isDoubled ? raw.replaceAll('""', '"') : raw;
    if (text.length > maxCellLength) {
      shortenedCells++;
      text = `${text.slice(0, maxCellLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
    }
    const content = Buffer.from(text, "utf8");
    appendString(column, (textStarts[column] as TextCellStarts).spaced, content, 0, content.length, false);
  }

  function appendValue(column: number, bytes: Uint8Array, start: number, end: number, form: FieldQuoting): void {
    // In the form `doubled`, the bytes contain each quote of the value twice. Titles are found by the value itself.
    const titled =
      form === fieldQuotings.doubled
        ? findDoubled(column, bytes, start, end)
        : titledCells[column]?.(bytes, start, end);
    if (titled === undefined) appendText(column, bytes, start, end, form);
    else appendCell(column, titled);
  }

  function findDoubled(column: number, bytes: Uint8Array, start: number, end: number): AlignedBytes | undefined {
    if (titledCells[column] === undefined) return undefined;
    literal.length = 0;
    appendUndoubledQuotes(literal, bytes, start, end);
    return titledCells[column](literal.bytes, 0, literal.length);
  }

  function appendList(column: number, bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    literal.length = 0;
    joined.length = 0;
    if (isDoubled) appendUndoubledQuotes(literal, bytes, start, end);
    else literal.append(bytes, start, end);
    let isFirst = true;
    scanList(literal.bytes, 0, literal.length, (element, from, to, isNull) => {
      if (!isFirst) joined.append(listSeparator);
      isFirst = false;
      if (isNull) return;
      const title = titledElements[column]?.(element, from, to);
      if (title === undefined) joined.append(element, from, to);
      else joined.append(title);
    });
    appendText(column, joined.bytes, 0, joined.length, fieldQuotings.bare);
  }

  function appendNumber(column: number, exactStart: AlignedBytes, bytes: Uint8Array, start: number, end: number): void {
    const exactEnd = findExactNumberEnd(bytes, start, end);
    if (exactEnd === null && end - start > maxCellLength) {
      appendLongText(column, bytes, start, end, false);
      return;
    }
    if (exactEnd !== null && currencies?.isAmount(column) === true) currencies.beginAmount(column, appendCell);
    else appendCell(column, exactEnd === null ? numberAsTextStart : exactStart);
    out.append(bytes, start, exactEnd ?? end);
    out.appendWords(valueEnd);
  }

  function appendDays(column: number, bytes: Uint8Array, start: number, end: number): void {
    const append = excelSerialAppenders[kinds[column] as keyof typeof excelSerialAppenders];
    const cellStart = out.length;
    appendCell(column, numberStarts[column] as AlignedBytes);
    if (!append(out, bytes, start, end)) {
      out.length = cellStart;
      appendText(column, bytes, start, end, fieldQuotings.bare);
      return;
    }
    out.appendWords(valueEnd);
  }

  function appendTimestamp(column: number, bytes: Uint8Array, start: number, end: number): void {
    if (appendLocal === null) {
      appendDays(column, bytes, start, end);
      return;
    }
    local.length = 0;
    appendLocal(local, bytes, start, end);
    appendDays(column, local.bytes, 0, local.length);
  }

  function markLink(column: number, cellAt: number): void {
    const at = cellAt + (cellStarts[column] as AlignedBytes).length + row.length + styleOffset;
    if (out.bytes.toString("latin1", at, at + 3) === `${cellStyleIndexes.text}"`)
      out.bytes.write(String(cellStyleIndexes.textLink), at, "latin1");
  }

  return {
    get shortenedCells() {
      return shortenedCells;
    },
    takeLinks: () => links?.take() ?? null,
    startAt(number) {
      rowNumber = number;
      row.set(number);
    },
    field(column, bytes, start, end, form) {
      if (column === 0) {
        rowLines = 1;
        out.appendWords(rowStart);
        out.appendWords(row);
        rowTagEnd = out.length + 1;
        out.appendWords(rowStartEnd);
      }
      currencies?.readField(column, bytes, start, end);
      if (start === end && form === fieldQuotings.bare) return;
      if (links !== null) {
        links.field(column, bytes, start, end, { isDoubled: form === fieldQuotings.doubled, at: out.length });
      }
      if (columns[column]?.isHidden === true) return;
      switch (kinds[column]) {
        case "integer":
        case "bigint":
        case "decimal":
        case "ratio":
          appendNumber(column, numberStarts[column] as AlignedBytes, bytes, start, end);
          return;
        case "bytes":
          appendNumber(
            column,
            selectByteSizeCellStart(bytesStarts[column] as AlignedBytes[], bytes, start, end),
            bytes,
            start,
            end,
          );
          return;
        case "boolean":
          appendCell(column, (bytes[start] === 0x74 ? trueCells : falseCells)[column] as AlignedBytes);
          return;
        case "timestamp":
          appendTimestamp(column, bytes, start, end);
          return;
        case "date":
        case "time":
        case "duration":
          appendDays(column, bytes, start, end);
          return;
        case "list":
          appendList(column, bytes, start, end, form === fieldQuotings.doubled);
          return;
        default:
          appendValue(column, bytes, start, end, form);
      }
    },
    endRow() {
      links?.endRow(rowNumber, markLink);
      rowNumber++;
      out.appendWords(rowEnd);
      currencies?.endRow();
      if (rowLines > 1) out.insert(rowTagEnd, rowHeightAttributes(rowLines));
      row.increment();
    },
  };
}
