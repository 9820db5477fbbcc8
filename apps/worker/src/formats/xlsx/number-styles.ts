import type { ColumnKind, ReportColumn, ReportTypeDefinition } from "@reports/core/report";
import { toDefinedChartDisplay } from "../chart-amounts.ts";
import type { NumberFormatter } from "../number-formatter.ts";
import { byteSizeStyleIndexes, cellStyleIndexes, toCellStyleIndex } from "./cell-style-indexes.ts";
import {
  toDurationFormatCode,
  toHeaderStyleIndex,
  type ColumnCellStyles,
  type NumberStyles,
  type WorkbookSpecificStyle,
  type StyledColumn,
} from "./column-cell-styles.ts";
import { rankCurrencies } from "./rank-currencies.ts";
import { createByteSizeFormatCodes, byteSizeUnits } from "./byte-size-units.ts";

/** Excel has room for about 200 number formats per workbook, and every workbook has eleven others. */
const maxOwnFormats = 190;
const firstOwnStyle = Object.keys(cellStyleIndexes).length;

/**
 * Returns the styles of numbers for a report type and for the columns in `read`, which can come from an earlier version of the type. All styles are
 * created here, because styles.xml precedes the sheets. A number without its own style gets the style of its kind.
 */
export function createNumberStyles(
  definition: ReportTypeDefinition,
  read: readonly StyledColumn[],
  numbers: NumberFormatter,
): NumberStyles {
  const own: WorkbookSpecificStyle[] = [];
  const formats = new Set<string>();
  const numberOf = new Map<string, number>();
  let isComplete = false;
  const find = (code: string | null, like: number, align: ReportColumn["align"]): number | null => {
    if (code === null && align === undefined) return like;
    const key = JSON.stringify([code, like, align]);
    const known = numberOf.get(key);
    if (known !== undefined) return known;
    const isNew = code !== null && !formats.has(code);
    if (isComplete || (isNew && formats.size >= maxOwnFormats)) return null;
    if (isNew) formats.add(code);
    const number = firstOwnStyle + own.push({ code, like, align }) - 1;
    numberOf.set(key, number);
    return number;
  };
  const ranked = rankCurrencies(definition);
  const findCurrency = (shown: StyledColumn, currency: string): number | null =>
    find(toNumberFormatCode({ ...shown, currency }, numbers), cellStyleIndexes.grouped, shown.align);
  const findCurrencies = (shown: StyledColumn): Readonly<Record<string, number>> => {
    const entries = ranked.map((currency) => [currency, findCurrency(shown, currency)] as const);
    return Object.fromEntries(entries.filter(([, style]) => style !== null)) as Readonly<Record<string, number>>;
  };
  /** Adds the styles of a currency for all amounts or for none, so that the amounts of a row look alike. */
  const addCurrency = (currency: string, amounts: readonly StyledColumn[]): void => {
    const needed = amounts.map((amount) => toNumberFormatCode({ ...amount, currency }, numbers)!);
    if (new Set([...formats, ...needed]).size > maxOwnFormats) return;
    for (const amount of amounts) findCurrency(amount, currency);
  };
  const sizeStyles = ({ unit, align }: StyledColumn): Pick<ColumnCellStyles, "bytesStyles"> => {
    if (unit !== undefined) {
      const codes = createByteSizeFormatCodes(unit, `<${numbers.decimal("0.1")}`);
      return {
        bytesStyles: codes.map((code) => find(code, cellStyleIndexes.grouped, align) ?? cellStyleIndexes.bytes),
      };
    }
    return align === undefined
      ? {}
      : { bytesStyles: byteSizeStyleIndexes.map((like) => find(null, like, align) ?? like) };
  };
  const styles: NumberStyles = {
    own,
    cells(shown) {
      const { kind, currency, align } = shown;
      const code = toNumberFormatCode(shown, numbers);
      const cell = find(
        code,
        code === null || kind === "duration" ? styleOfCells(kind) : cellStyleIndexes.grouped,
        align,
      );
      return {
        ...(cell === null || cell === styleOfCells(kind) ? {} : { style: cell }),
        ...(kind === "bytes" ? sizeStyles(shown) : {}),
        ...(typeof currency === "object" && isComplete ? { styleByCurrency: findCurrencies(shown) } : {}),
      };
    },
    header: ({ kind, align }) => find(null, toHeaderStyleIndex(kind), align) ?? toHeaderStyleIndex(kind),
  };
  const shown = [...definition.columns, ...definition.summary.figures, ...read];
  // Units of sizes get their formats first, while there is space for formats: column titles name the units, so cells must match.
  for (const each of shown)
    if (each.kind === "bytes") for (const unit of byteSizeUnits) styles.cells({ ...each, unit });
  for (const chart of definition.summary.charts) styles.cells(toDefinedChartDisplay(chart, definition));
  for (const each of shown) {
    styles.header(each);
    styles.cells(each);
  }
  // Currencies are added last, because an amount whose currency has no format needs the format of its column.
  const amounts = shown.filter(({ currency }) => typeof currency === "object");
  for (const currency of ranked) addCurrency(currency, amounts);
  isComplete = true;
  return styles;
}

export function toNumberFormatCode(
  { kind, unit, currency, digits }: StyledColumn,
  numbers: NumberFormatter,
): string | null {
  if (kind === "duration") return digits === undefined ? null : toDurationFormatCode(digits);
  if (kind === "bytes") return null;
  if (kind === "ratio") return digits === undefined ? null : `0${decimalPlaces(digits)}%`;
  if (typeof currency === "string") {
    const known = numbers.currency(currency);
    const { before, after } = known ?? { before: "", after: ` ${currency}` };
    return `${quoteText(before)}#,##0${decimalPlaces(digits ?? known?.places ?? 2)}${quoteText(after)}`;
  }
  if (digits === undefined && unit === undefined && currency === undefined) return null;
  // `General` shows as many decimal places as a number has. Any other format shows a bare decimal point after whole numbers.
  const number = kind === "decimal" && digits === undefined ? "General" : `#,##0${decimalPlaces(digits ?? 0)}`;
  if (unit === undefined) return number;
  const [one, others] = ["1", "10"].map((count) => `${number}${quoteText(` ${numbers.unit(unit, count)}`)}`);
  // A number format can have only two conditions, which are too few for the plural forms of Polish.
  return one === others ? others! : `[=1]${one};${others}`;
}

function decimalPlaces(digits: number): string {
  return digits === 0 ? "" : `.${"0".repeat(digits)}`;
}

function quoteText(text: string): string {
  return text === "" ? "" : `"${text.replaceAll("\u00A0", " ").replaceAll('"', '"\\""')}"`;
}

function styleOfCells(kind: ColumnKind): number {
  return kind === "text" || kind === "list" ? cellStyleIndexes.text : toCellStyleIndex(kind);
}
