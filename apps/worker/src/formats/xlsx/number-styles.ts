import type { ColumnKind, ReportColumn, ReportTypeDefinition } from "@reports/core/report";
import { numberOfChart } from "../chart-amounts.ts";
import type { NumberFormat } from "../number-format.ts";
import {
  bytesStyles,
  cellStyles,
  headerStyleOfKind,
  styleOfKind,
  type NumberStyles,
  type OwnStyle,
  type StyledColumn,
} from "./cell-styles.ts";

/** Excel has room for about 200 number formats of a workbook. */
const maxOwnStyles = 190;
const firstOwnStyle = Object.keys(cellStyles).length;

/**
 * Makes the styles of the columns, figures and charts of a report type, and of those in `read`, which may be of an earlier version. All styles are written
 * before the sheets, so later calls find only these. Other numbers have the style of their kind.
 */
export function createNumberStyles(
  definition: ReportTypeDefinition,
  read: readonly StyledColumn[],
  numbers: NumberFormat,
): NumberStyles {
  const own: OwnStyle[] = [];
  const numberOf = new Map<string, number>();
  let isComplete = false;
  /** Returns null if the workbook has no such style, and no room for it. */
  const find = (code: string | null, like: number, align: ReportColumn["align"]): number | null => {
    if (code === null && align === undefined) return like;
    const key = JSON.stringify([code, like, align]);
    const known = numberOf.get(key);
    if (known !== undefined) return known;
    if (isComplete || own.length >= maxOwnStyles) return null;
    const number = firstOwnStyle + own.push({ code, like, align }) - 1;
    numberOf.set(key, number);
    return number;
  };
  const findCurrencies = (shown: StyledColumn): Readonly<Record<string, number>> => {
    const entries = Intl.supportedValuesOf("currency").map(
      (currency) =>
        [currency, find(numberFormatCode({ ...shown, currency }, numbers), cellStyles.grouped, shown.align)] as const,
    );
    return Object.fromEntries(entries.filter(([, style]) => style !== null)) as Readonly<Record<string, number>>;
  };
  const styles: NumberStyles = {
    own,
    cells(shown) {
      const { kind, currency, align } = shown;
      const code = numberFormatCode(shown, numbers);
      const cell = find(code, code === null ? styleOfCells(kind) : cellStyles.grouped, align);
      return {
        ...(cell === null || cell === styleOfCells(kind) ? {} : { style: cell }),
        ...(kind === "bytes" && align !== undefined
          ? { bytesStyles: bytesStyles.map((like) => find(null, like, align) ?? like) }
          : {}),
        ...(typeof currency === "object" ? { styleByCurrency: findCurrencies(shown) } : {}),
      };
    },
    header: ({ kind, align }) => find(null, headerStyleOfKind(kind), align) ?? headerStyleOfKind(kind),
  };
  // Columns whose rows have different currencies take the most room, so they come last.
  const shown = [...definition.columns, ...definition.summary.figures, ...read].toSorted(
    (one, other) => Number(typeof one.currency === "object") - Number(typeof other.currency === "object"),
  );
  for (const chart of definition.summary.charts) styles.cells(numberOfChart(chart, definition));
  for (const each of shown) {
    styles.header(each);
    styles.cells(each);
  }
  isComplete = true;
  return styles;
}

/** Returns the number format of a unit, a currency or fixed places; null for numbers without them. */
export function numberFormatCode({ kind, unit, currency, digits }: StyledColumn, numbers: NumberFormat): string | null {
  if (kind === "ratio") return digits === undefined ? null : `0${decimalPlaces(digits)}%`;
  if (typeof currency === "string") {
    const known = numbers.currency(currency);
    const { before, after } = known ?? { before: "", after: ` ${currency}` };
    return `${quoteText(before)}#,##0${decimalPlaces(digits ?? known?.places ?? 2)}${quoteText(after)}`;
  }
  if (digits === undefined && unit === undefined && currency === undefined) return null;
  // `General` shows as many decimal places as the number has. No other format does without a bare decimal point behind whole numbers.
  const number = kind === "decimal" && digits === undefined ? "General" : `#,##0${decimalPlaces(digits ?? 0)}`;
  return unit === undefined ? number : `${number}${quoteText(` ${unit}`)}`;
}

function decimalPlaces(digits: number): string {
  return digits === 0 ? "" : `.${"0".repeat(digits)}`;
}

/** Quotes a text in a number format. */
function quoteText(text: string): string {
  return text === "" ? "" : `"${text.replaceAll("\u00A0", " ").replaceAll('"', '"\\""')}"`;
}

function styleOfCells(kind: ColumnKind): number {
  return kind === "text" || kind === "list" ? cellStyles.text : styleOfKind(kind);
}
