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
const maxNumberFormats = 190;
const firstOwnStyle = Object.keys(cellStyles).length;

/** Makes the styles of the columns, figures and charts of a report type. Later calls find the same styles, because styles.xml is written before the sheets. */
export function createNumberStyles(definition: ReportTypeDefinition, numbers: NumberFormat): NumberStyles {
  const own: OwnStyle[] = [];
  const numberOf = new Map<string, number>();
  const add = (code: string | null, like: number, align: ReportColumn["align"]): number => {
    if (code === null && align === undefined) return like;
    const key = JSON.stringify([code, like, align]);
    const number = numberOf.get(key) ?? firstOwnStyle + own.push({ code, like, align }) - 1;
    numberOf.set(key, number);
    return number;
  };
  const styles: NumberStyles = {
    own,
    cells(shown) {
      const { kind, currency, align } = shown;
      const code = numberFormatCode(shown, numbers);
      const cell = add(code, code === null ? styleOfCells(kind) : cellStyles.grouped, align);
      return {
        ...(cell === styleOfCells(kind) ? {} : { style: cell }),
        ...(kind === "bytes" && align !== undefined
          ? { bytesStyles: bytesStyles.map((like) => add(null, like, align)) }
          : {}),
        ...(typeof currency === "object" ? { styleByCurrency: currencyStyles(shown) } : {}),
      };
    },
    header: ({ kind, align }) => add(null, headerStyleOfKind(kind), align),
  };
  /** Returns styles for as many currencies as a workbook has room for. The amounts of others are shown without their currency. */
  const currencyStyles = (shown: StyledColumn): Readonly<Record<string, number>> =>
    Object.fromEntries(
      Intl.supportedValuesOf("currency").flatMap((currency) =>
        own.length >= maxNumberFormats
          ? []
          : [[currency, add(numberFormatCode({ ...shown, currency }, numbers), cellStyles.grouped, shown.align)]],
      ),
    );
  for (const column of definition.columns) {
    styles.cells(column);
    styles.header(column);
  }
  for (const figure of definition.summary.figures) styles.cells(figure);
  for (const chart of definition.summary.charts) styles.cells(numberOfChart(chart, definition));
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
