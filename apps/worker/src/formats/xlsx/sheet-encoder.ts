import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core";
import { ByteBuffer, toWords, type Words } from "../../wire/byte-buffer.ts";
import { lateTimestampInUtc } from "../../wire/late-timestamp.ts";
import { appendUnquoted, fieldForms, type FieldForm, type RowEncoder } from "../../wire/scan-fields.ts";
import { createListScanner } from "../../wire/scan-list.ts";
import { booleanTitles } from "../value-titles.ts";
import { bytesStyles, cellStyles, styleOfKind } from "./cell-styles.ts";
import { appendDateSerial } from "./date-serial.ts";
import { lineCount } from "./line-count.ts";
import { createTitledValues } from "./titled-values.ts";
import { appendXmlText, xmlText } from "./xml-text.ts";

/** What Excel holds in a cell, in UTF-16 code units. */
const maxCellLength = 32_767;
/** A double keeps every integer of so many digits. */
const exactDigits = 15;

const rowStart = toWords("<row>");
const rowEnd = toWords("</row>");
const rowTagBytes = "<row".length;
/** Widths are counted in figures, and letters are narrower. */
const charactersPerWidth = 1.15;
/** Points that a line of text takes. */
const lineHeight = 15;
const emptyCell = toWords("<c/>");
// Readers take an empty `str` for no value at all.
const emptyTextCell = toWords('<c t="inlineStr"><is><t></t></is></c>');
// `str` says the same as `inlineStr` in 17 bytes less, and deflating them is what xlsx waits for.
const textStart = toWords(`<c s="${cellStyles.text}" t="str"><v>`);
const spacedTextStart = toWords(`<c s="${cellStyles.text}" t="str"><v xml:space="preserve">`);
const numberAsTextStart = toWords(`<c s="${cellStyles.numberAsText}" t="str"><v>`);
const bytesStarts = bytesStyles.map((style) => toWords(`<c s="${style}"><v>`));
const hyphen = 0x2d;
const valueEnd = toWords("</v></c>");
// No number format gives a typed boolean words: Excel ignores it, and shows TRUE and FALSE in the language of its user.
const trueCell = textCellOf(booleanTitles.t, cellStyles.boolean);
const falseCell = textCellOf(booleanTitles.f, cellStyles.boolean);
const listSeparator = Buffer.from("; ");

/** Encodes rows as the `row` elements of a sheet. Cells carry no `r`: their order says where they stand, and writing it costs half the time. */
export interface SheetEncoder extends RowEncoder {
  /** How many cells were longer than Excel holds and were shortened, visibly. */
  readonly shortenedCells: number;
}

/** What the encoder has to know of a column. */
export interface SheetColumn extends Pick<ReportColumn, "kind" | "titles"> {
  /** Of the column in the sheet, in characters: a row is as high as its longest text asks for. Without it every row is one line high. */
  readonly width?: number;
}

/** Makes the encoder of one sheet's columns. */
export function createSheetEncoder(columns: readonly SheetColumn[], out: ByteBuffer): SheetEncoder {
  const kinds = columns.map(({ kind }) => kind);
  const lineWidths = columns.map(({ width = Infinity }) => Math.floor(width * charactersPerWidth));
  const titledCells = columns.map(({ titles }) => createTitledValues(titles, textCellOf));
  const titledElements = columns.map(({ titles }) => createTitledValues(titles, (title) => Buffer.from(title)));
  const numberStarts = kinds.map((kind) => toWords(`<c s="${styleOfKind(kind)}"><v>`));
  const literal = new ByteBuffer(1024);
  const joined = new ByteBuffer(1024);
  const scanList = createListScanner();
  let shortenedCells = 0;
  let rowAt = 0;
  let rowLines = 1;

  function appendText(column: number, bytes: Uint8Array, start: number, end: number, form: FieldForm): void {
    const isDoubled = form === fieldForms.doubled;
    const width = lineWidths[column] as number;
    // A bare field has no line breaks, and no fewer bytes than it is wide.
    if (end - start > width || (form !== fieldForms.bare && width !== Infinity))
      rowLines = Math.max(rowLines, lineCount(bytes, start, end, width));
    if (end - start > maxCellLength) {
      appendLongText(bytes, start, end, isDoubled);
      return;
    }
    if (start === end) {
      out.appendWords(emptyTextCell);
      return;
    }
    const isSpaced = (bytes[start] as number) <= 0x20 || (bytes[end - 1] as number) <= 0x20;
    out.appendWords(isSpaced ? spacedTextStart : textStart);
    appendXmlText(out, bytes, start, end, isDoubled);
    out.appendWords(valueEnd);
  }

  function appendLongText(bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    const raw = Buffer.from(bytes.subarray(start, end)).toString("utf8");
    let text = isDoubled ? raw.replaceAll('""', '"') : raw;
    if (text.length > maxCellLength) {
      shortenedCells++;
      text = `${text.slice(0, maxCellLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
    }
    const content = Buffer.from(text, "utf8");
    out.appendWords(spacedTextStart);
    appendXmlText(out, content, 0, content.length, false);
    out.appendWords(valueEnd);
  }

  function appendValue(column: number, bytes: Uint8Array, start: number, end: number, form: FieldForm): void {
    // A value with quotes in it stands there with each of them doubled.
    const titled =
      form === fieldForms.doubled ? findDoubled(column, bytes, start, end) : titledCells[column]?.(bytes, start, end);
    if (titled === undefined) appendText(column, bytes, start, end, form);
    else out.appendWords(titled);
  }

  function findDoubled(column: number, bytes: Uint8Array, start: number, end: number): Words | undefined {
    if (titledCells[column] === undefined) return undefined;
    literal.length = 0;
    appendUnquoted(literal, bytes, start, end);
    return titledCells[column](literal.bytes, 0, literal.length);
  }

  function appendList(column: number, bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    literal.length = 0;
    joined.length = 0;
    if (isDoubled) appendUnquoted(literal, bytes, start, end);
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
    appendText(column, joined.bytes, 0, joined.length, fieldForms.bare);
  }

  function appendNumber(cellStart: Words, bytes: Uint8Array, start: number, end: number): void {
    out.appendWords(isExactNumber(bytes, start, end) ? cellStart : numberAsTextStart);
    out.append(bytes, start, end);
    out.appendWords(valueEnd);
  }

  function appendDate(column: number, bytes: Uint8Array, start: number, end: number): void {
    const cellStart = out.length;
    out.appendWords(numberStarts[column] ?? numberAsTextStart);
    if (!appendDateSerial(out, bytes, start, end)) {
      out.length = cellStart;
      appendUnusualDate(column, bytes, start, end);
      return;
    }
    out.appendWords(valueEnd);
  }

  function appendUnusualDate(column: number, bytes: Uint8Array, start: number, end: number): void {
    const late = lateTimestampInUtc(Buffer.from(bytes.subarray(start, end)).toString("latin1"));
    if (late === null) {
      appendText(column, bytes, start, end, fieldForms.bare);
      return;
    }
    const wireBytes = Buffer.from(late, "latin1");
    appendDate(column, wireBytes, 0, wireBytes.length);
  }

  return {
    get shortenedCells() {
      return shortenedCells;
    },
    field(column, bytes, start, end, form) {
      if (column === 0) {
        rowAt = out.length;
        rowLines = 1;
        out.appendWords(rowStart);
      }
      if (start === end && form === fieldForms.bare) {
        out.appendWords(emptyCell);
        return;
      }
      switch (kinds[column]) {
        case "integer":
        case "bigint":
        case "decimal":
        case "ratio":
          appendNumber(numberStarts[column] ?? numberAsTextStart, bytes, start, end);
          return;
        case "bytes":
          appendNumber(bytesStart(bytes, start, end), bytes, start, end);
          return;
        case "boolean":
          out.appendWords(bytes[start] === 0x74 ? trueCell : falseCell);
          return;
        case "timestamp":
        case "date":
          appendDate(column, bytes, start, end);
          return;
        case "list":
          appendList(column, bytes, start, end, form === fieldForms.doubled);
          return;
        default:
          appendValue(column, bytes, start, end, form);
      }
    },
    endRow() {
      out.appendWords(rowEnd);
      if (rowLines > 1) out.insert(rowAt + rowTagBytes, heightOf(rowLines));
    },
  };
}

/** The unit of an amount of data follows from how many digits it has. */
function bytesStart(bytes: Uint8Array, start: number, end: number): Words {
  const digits = bytes[start] === hyphen ? end - start - 1 : end - start;
  return bytesStarts[Math.min(Math.ceil(digits / 3), bytesStarts.length) - 1] as Words;
}

/** Said of rows of several lines alone: writing it to every row would cost more than all of them. */
function heightOf(lines: number): Buffer {
  return Buffer.from(` ht="${lines * lineHeight}" customHeight="1"`);
}

function textCellOf(text: string, style: number = cellStyles.text): Words {
  return toWords(`<c s="${style}" t="str"><v>${xmlText(text)}</v></c>`);
}

/** Whether a double holds the number to its last digit. Zeros in front do not count; NaN and Infinity are no numbers to a sheet. */
function isExactNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const last = bytes[end - 1] as number;
  if (last < 0x30 || last > 0x39) return false;
  if (end - start <= exactDigits) return true;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0x2d && byte !== 0x2e && (digits > 0 || byte !== 0x30)) digits++;
  }
  return digits <= exactDigits;
}
