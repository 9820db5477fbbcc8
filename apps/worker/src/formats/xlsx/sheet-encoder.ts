import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core";
import { ByteBuffer, toWords, type Words } from "../../wire/byte-buffer.ts";
import { lateTimestampInUtc } from "../../wire/late-timestamp.ts";
import { appendUnquoted, fieldForms, type FieldForm, type RowEncoder } from "../../wire/scan-fields.ts";
import { createListScanner } from "../../wire/scan-list.ts";
import { cellStyles, styleOfKind } from "./cell-styles.ts";
import { appendDateSerial } from "./date-serial.ts";
import { createTitledValues } from "./titled-values.ts";
import { appendXmlText, xmlText } from "./xml-text.ts";

/** What Excel holds in a cell, in UTF-16 code units. */
const maxCellLength = 32_767;
/** A double keeps every integer of so many digits. */
const exactDigits = 15;

const rowStart = toWords("<row>");
const rowEnd = toWords("</row>");
const emptyCell = toWords("<c/>");
// Readers take an empty `str` for no value at all.
const emptyTextCell = toWords('<c t="inlineStr"><is><t></t></is></c>');
// `str` says the same as `inlineStr` in 17 bytes less, and deflating them is what xlsx waits for.
const textStart = toWords('<c t="str"><v>');
const spacedTextStart = toWords('<c t="str"><v xml:space="preserve">');
const numberAsTextStart = toWords(`<c s="${cellStyles.numberAsText}" t="str"><v>`);
const valueEnd = toWords("</v></c>");
const trueCell = toWords(`<c s="${cellStyles.boolean}" t="b"><v>1</v></c>`);
const falseCell = toWords(`<c s="${cellStyles.boolean}" t="b"><v>0</v></c>`);
const listSeparator = Buffer.from("; ");

/** Encodes rows as the `row` elements of a sheet. Cells carry no `r`: their order says where they stand, and writing it costs half the time. */
export interface SheetEncoder extends RowEncoder {
  /** How many cells were longer than Excel holds and were shortened, visibly. */
  readonly shortenedCells: number;
}

/** What the encoder has to know of a column. */
export type SheetColumn = Pick<ReportColumn, "kind" | "titles">;

/** Makes the encoder of one sheet's columns. */
export function createSheetEncoder(columns: readonly SheetColumn[], out: ByteBuffer): SheetEncoder {
  const kinds = columns.map(({ kind }) => kind);
  const titledCells = columns.map(({ titles }) => createTitledValues(titles, titledCell));
  const titledElements = columns.map(({ titles }) => createTitledValues(titles, (title) => Buffer.from(title)));
  const numberStarts = kinds.map((kind) => toWords(`<c s="${styleOfKind(kind)}"><v>`));
  const literal = new ByteBuffer(1024);
  const joined = new ByteBuffer(1024);
  const scanList = createListScanner();
  let shortenedCells = 0;

  function appendText(bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
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
    if (titled === undefined) appendText(bytes, start, end, form === fieldForms.doubled);
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
    appendText(joined.bytes, 0, joined.length, false);
  }

  function appendNumber(column: number, bytes: Uint8Array, start: number, end: number): void {
    const isExact = isExactNumber(bytes, start, end);
    out.appendWords(isExact ? (numberStarts[column] ?? numberAsTextStart) : numberAsTextStart);
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
      appendText(bytes, start, end, false);
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
      if (column === 0) out.appendWords(rowStart);
      if (start === end && form === fieldForms.bare) {
        out.appendWords(emptyCell);
        return;
      }
      switch (kinds[column]) {
        case "integer":
        case "bigint":
        case "decimal":
        case "ratio":
        case "bytes":
          appendNumber(column, bytes, start, end);
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
    },
  };
}

function titledCell(title: string): Words {
  return toWords(`<c t="str"><v>${xmlText(title)}</v></c>`);
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
