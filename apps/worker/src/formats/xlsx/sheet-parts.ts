import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { fieldForms } from "../../wire/scan-fields.ts";
import { createTitleLookup } from "../value-titles.ts";
import { cellStyles, headerStyleOfKind, toneFormats } from "./cell-styles.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { xmlText } from "./xml-text.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const maxColumnWidth = 80;

/** What stands before the first row of a table: frozen header, widths, header cells. */
export function tableHead(columns: readonly ReportColumn[]): string {
  const widths = columns.map(({ width, title }) => Math.min(Math.max(width, title.length + 4), maxColumnWidth));
  const header = columns.map((column) => textCell(column.title, headerStyleOfKind(column.kind))).join("");
  return `${sheetStart({ widths, frozenRows: 1, isLandscape: true })}<row ht="21" customHeight="1">${header}</row>`;
}

/** What stands after the last row of a table: its filter, the colours of its tones, how it prints. */
export function tableTail(columns: readonly ReportColumn[], rowCount: number): string {
  return `</sheetData><autoFilter ref="A1:${columnName(columns.length - 1)}${rowCount + 1}"/>${toneRules(columns, rowCount)}${pageSetup(true)}</worksheet>`;
}

/** The beginning of a sheet, up to its rows. */
export function sheetStart(sheet: {
  readonly widths: readonly number[];
  readonly frozenRows: number;
  readonly isLandscape: boolean;
  readonly isSelected?: boolean;
}): string {
  const cols = sheet.widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join("");
  const selected = sheet.isSelected === true ? ' tabSelected="1" showGridLines="0"' : "";
  const pane =
    sheet.frozenRows === 0
      ? ""
      : `<pane ySplit="${sheet.frozenRows}" topLeftCell="A${sheet.frozenRows + 1}" activePane="bottomLeft" state="frozen"/>`;
  return `${declaration}<worksheet ${namespaces}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView${selected} workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols}</cols><sheetData>`;
}

/** Margins and paper; one page wide, as long as it takes. */
export function pageSetup(isLandscape: boolean): string {
  return `<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="${isLandscape ? "landscape" : "portrait"}" fitToWidth="1" fitToHeight="0"/>`;
}

/** A text cell. */
export function textCell(text: string, style: number = cellStyles.general): string {
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** A typed cell of a value in the text form of the wire form. */
export function valueCell(column: SheetColumn, value: string | null): string {
  const out = new ByteBuffer(256);
  const bytes = Buffer.from(value ?? "", "utf8");
  // The first column would begin a row.
  createSheetEncoder([{ kind: "text" }, column], out).field(
    1,
    bytes,
    0,
    bytes.length,
    value === null ? fieldForms.bare : fieldForms.quoted,
  );
  return out.view().toString("utf8");
}

/** `A` to `XFD`, from 0. */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

/** A name that a sheet may have: at most 31 characters, none of `[]:*?/\`, no apostrophe at its ends, and not taken. */
export function sheetName(wanted: string, taken: readonly string[]): string {
  const clean = wanted
    .toWellFormed()
    .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, " ")
    .replaceAll(/^['\s]+|(?<!['\s])['\s]+$/g, "");
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` ${number}`;
    const name = `${clean.slice(0, 31 - suffix.length).toWellFormed() || "Sheet"}${suffix}`;
    if (!taken.some((other) => other.toLowerCase() === name.toLowerCase())) return name;
  }
}

/** A sheet's name as formulas write it. */
export function quotedSheetName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
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
