import { isNumericKind, type ColumnKind, type ReportColumn, type Tone } from "@reports/core/report";
import type { Palette } from "../../brand/palette.ts";
import { cellStyleIndexes } from "./cell-style-indexes.ts";
import type { DateFormatCodes } from "./date-format-codes.ts";
import { escapeXstring } from "./escape-xstring.ts";

export function toHeaderStyleIndex(kind: ColumnKind): number {
  if (isNumericKind(kind)) return cellStyleIndexes.headerOfNumbers;
  return kind === "boolean" ? cellStyleIndexes.headerOfBooleans : cellStyleIndexes.header;
}

export const toneDxfIds = { good: 0, warn: 1, bad: 2, muted: 3 } as const satisfies Readonly<
  Record<Exclude<Tone, "neutral">, number>
>;
const tableHeaderFormat = 4;
const tableStripeFormat = 5;

const firstOwnFormat = 200;

/** Separates a number and its unit from a date or text in the next column. A narrower indent is hardly wider than a space. */
const numberIndent = 'indent="2"';

export const tableStyleName = "Report";

/** Number format for bytes on a chart's axis: MB, GB or TB. It has only three units, because an Excel format can have at most two conditions. */
export const byteSizeAxisFormatCode =
  '[>=1000000000000]#,##0.0,,,,\\ "TB";[>=1000000000]#,##0.0,,,\\ "GB";#,##0.0,,\\ "MB"';

/** Returns the number format of durations. Excel shows no negative times, so negative durations are shown in days. */
export function toDurationFormatCode(digits: number): string {
  return `[h]:mm:ss${digits === 0 ? "" : `.${"0".repeat(digits)}`};\\-0.00000\\ "d"`;
}

export type StyledColumn = Pick<ReportColumn, "kind" | "unit" | "currency" | "digits" | "align">;

export interface WorkbookSpecificStyle {
  /** Number format, not yet escaped for XML; null for the format of the style `like`. */
  readonly code: string | null;
  /** Index in `cellStyleIndexes` of the style from which all other properties are taken. */
  readonly like: number;
  readonly align: ReportColumn["align"];
}

/** Styles for the units, currencies and alignments of a report type's numbers. In styles.xml, they come after the styles of `cellStyleIndexes`. */
export interface NumberStyles {
  readonly own: readonly WorkbookSpecificStyle[];
  cells(shown: StyledColumn): ColumnCellStyles;
  header(shown: Pick<StyledColumn, "kind" | "align">): number;
}

export interface ColumnCellStyles {
  readonly style?: number;
  readonly bytesStyles?: readonly number[];
  readonly styleByCurrency?: Readonly<Record<string, number>>;
}

export interface WorkbookStyle {
  readonly palette: Palette;
  readonly dates: DateFormatCodes;
  readonly numbers: NumberStyles;
}

export function stylesXml(style: WorkbookStyle): string {
  const { palette, dates, numbers } = style;
  const formats = [
    [164, "#,##0"],
    [165, "0.00%"],
    [166, dates.timestamp],
    [167, dates.date],
    [168, '0\\ "B"'],
    [173, toDurationFormatCode(0)],
    [174, dates.time],
    ...["kB", "MB", "GB", "TB"].map((unit, at) => [169 + at, `#,##0.0${",".repeat(at + 1)}\\ "${unit}"`] as const),
  ] as const;
  const ownCodes = [...new Set(numbers.own.flatMap(({ code }) => code ?? []))];
  const allFormats = [...formats, ...ownCodes.map((code, at) => [firstOwnFormat + at, code] as const)];
  const shared = cellFormats();
  const own = numbers.own.map(({ code, like, align }) => {
    const format = code === null ? {} : { format: firstOwnFormat + ownCodes.indexOf(code) };
    return { ...shared[like], ...format, alignment: alignCells(shared[like]?.alignment ?? "", align) };
  });
  const cells = [...shared, ...own].map(xf);
  const fonts = [
    fontXml({ colour: palette.ink }),
    fontXml({ colour: palette.onBrand, bold: true }),
    fontXml({ colour: palette.accent, bold: true, size: 18 }),
    fontXml({ colour: palette.accent, bold: true, size: 12 }),
    fontXml({ colour: palette.muted }),
    fontXml({ colour: palette.accent, isUnderlined: true }),
  ];
  const fills = ['<patternFill patternType="none"/>', '<patternFill patternType="gray125"/>', solidXml(palette.brand)];
  const borders = [
    borderXml(""),
    borderXml(lineXml("medium", palette.accent)),
    borderXml(lineXml("thin", palette.rule)),
  ];
  const numberFormats = allFormats.map(
    ([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escapeXstring(code)}"/>`,
  );
  const differences = differenceFormats(palette);
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    listXml("numFmts", numberFormats) +
    listXml("fonts", fonts) +
    listXml(
      "fills",
      fills.map((fill) => `<fill>${fill}</fill>`),
    ) +
    listXml("borders", borders) +
    listXml("cellStyleXfs", ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']) +
    listXml("cellXfs", cells) +
    listXml("cellStyles", ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']) +
    listXml("dxfs", differences) +
    `<tableStyles count="1" defaultTableStyle="${tableStyleName}"><tableStyle name="${tableStyleName}" pivot="0" count="2">` +
    `<tableStyleElement type="headerRow" dxfId="${tableHeaderFormat}"/><tableStyleElement type="secondRowStripe" dxfId="${tableStripeFormat}"/></tableStyle></tableStyles>` +
    "</styleSheet>"
  );
}

/** Returns the cell formats in the order of `cellStyleIndexes`. Cells are top-aligned, because rows can have several lines. */
function cellFormats(): CellFormat[] {
  const numbers = `horizontal="right" vertical="top" ${numberIndent}`;
  const left = 'horizontal="left" vertical="top"';
  const centred = 'horizontal="center" vertical="top"';
  return [
    { alignment: 'vertical="top"' },
    { font: 1, fill: 2, border: 1, alignment: 'vertical="center"' },
    { format: 1, alignment: numbers },
    { format: 164, alignment: numbers },
    { format: 165, alignment: numbers },
    { format: 166, alignment: left },
    { format: 167, alignment: left },
    { format: 49, alignment: numbers },
    { font: 2 },
    { font: 3, border: 2 },
    { font: 4, alignment: 'vertical="top" wrapText="1"' },
    { alignment: centred },
    { font: 1, fill: 2, border: 1, alignment: `horizontal="right" vertical="center" ${numberIndent}` },
    { font: 1, fill: 2, border: 1, alignment: 'horizontal="center" vertical="center"' },
    { font: 4, alignment: numbers },
    { format: 168, alignment: numbers },
    // Text in every script is left-aligned, because right-aligned text would touch the next column.
    { alignment: 'horizontal="left" vertical="top" wrapText="1"' },
    { alignment: 'vertical="top" wrapText="1"' },
    ...[169, 170, 171, 172].map((format) => ({ format, alignment: numbers })),
    { font: 2, alignment: 'horizontal="right" vertical="top" wrapText="1" readingOrder="2"' },
    { alignment: 'horizontal="left" vertical="top" wrapText="1" readingOrder="1"' },
    { font: 4, alignment: 'vertical="top" wrapText="1" readingOrder="1"' },
    { font: 2, alignment: 'readingOrder="1"' },
    { font: 5 },
    { font: 5, alignment: 'horizontal="left" vertical="top" wrapText="1"' },
    { format: 173, alignment: numbers },
    { format: 174, alignment: left },
  ];
}

function differenceFormats({ toneText, brand, onBrand, zebra }: Palette): string[] {
  const tones = (["good", "warn", "bad", "muted"] as const).map(
    (tone) => `<font>${tone === "bad" ? "<b/>" : ""}<color rgb="FF${toneText[tone]}"/></font>`,
  );
  const header = `<font><b/><color rgb="FF${onBrand}"/></font><fill>${solidXml(brand, brand)}</fill>`;
  return [...tones, header, `<fill>${solidXml(zebra, zebra)}</fill>`].map((format) => `<dxf>${format}</dxf>`);
}

function alignCells(alignment: string, align: WorkbookSpecificStyle["align"]): string {
  if (align === undefined) return alignment;
  const others = alignment.replace(/horizontal="\w+" ?/, "").replace(/ ?indent="\d"/, "");
  const horizontal = { start: "left", center: "center", end: "right" }[align];
  return `horizontal="${horizontal}" ${others}${align === "end" ? ` ${numberIndent}` : ""}`;
}

interface CellFormat {
  readonly format?: number;
  readonly font?: number;
  readonly fill?: number;
  readonly border?: number;
  readonly alignment?: string;
}

function xf(given: CellFormat): string {
  const { format = 0, font: fontId = 0, fill = 0, border: borderId = 0, alignment } = given;
  const end = alignment === undefined ? "/>" : ` applyAlignment="1"><alignment ${alignment}/></xf>`;
  return `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fill}" borderId="${borderId}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${end}`;
}

function fontXml(given: { colour: string; bold?: boolean; isUnderlined?: boolean; size?: number }): string {
  const { colour, bold = false, isUnderlined = false, size = 11 } = given;
  return `<font>${bold ? "<b/>" : ""}${isUnderlined ? "<u/>" : ""}<sz val="${size}"/><color rgb="FF${colour}"/><name val="Calibri"/><family val="2"/></font>`;
}

function solidXml(colour: string, background?: string): string {
  const back = background === undefined ? 'indexed="64"' : `rgb="FF${background}"`;
  return `<patternFill patternType="solid"><fgColor rgb="FF${colour}"/><bgColor ${back}/></patternFill>`;
}

function lineXml(style: string, colour: string): string {
  return `<bottom style="${style}"><color rgb="FF${colour}"/></bottom>`;
}

function borderXml(bottom: string): string {
  return `<border><left/><right/><top/>${bottom === "" ? "<bottom/>" : bottom}<diagonal/></border>`;
}

function listXml(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join("")}</${name}>`;
}
