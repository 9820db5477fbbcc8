import type { NumberDisplay, ReportColumn } from "@reports/core/report";
import { roundDecimalText, type NumberFormatter } from "./number-formatter.ts";

export type NumberDisplayWithKind = NumberDisplay & Pick<ReportColumn, "kind">;

/** Writes the numbers of one column, figure or chart. `code` is the row's currency (ISO 4217), if each row has its own; null writes no currency. */
export interface AmountFormatter {
  write(text: string, code?: string | null): string;
  /** Writes the number rounded and abbreviated, for a place too narrow for all digits: `16.5T kg`. */
  short(text: string, code?: string | null): string;
}

const noBreakSpace = "\u00A0";

export function createAmountFormatter(shown: NumberDisplayWithKind, numbers: NumberFormatter): AmountFormatter {
  const { unit, currency } = shown;
  const plain = createPlainFormat(shown, numbers);
  if (currency !== undefined) {
    const currencyOf = (code: string | null): string => (typeof currency === "string" ? currency : (code ?? ""));
    return {
      write: (text, code = null) =>
        currencyOf(code) === "" ? plain(text) : numbers.amount(text, currencyOf(code), shown.digits),
      short: (text, code = null) => joinNumberAndUnit(numbers.short(text), currencyOf(code)),
    };
  }
  if (shown.kind === "duration") return { write: plain, short: numbers.duration.short };
  return {
    write:
      unit === undefined
        ? plain
        : (text) => joinNumberAndUnit(plain(text), numbers.unit(unit, roundDecimalText(text, shown.digits))),
    short: (text) => joinNumberAndUnit(numbers.short(text), unit === undefined ? "" : numbers.unit(unit, text)),
  };
}

export function joinNumberAndUnit(number: string, unit: string): string {
  return unit === "" ? number : `${number}${noBreakSpace}${unit}`;
}

function createPlainFormat(
  { kind, digits }: NumberDisplayWithKind,
  numbers: NumberFormatter,
): (text: string) => string {
  if (kind === "ratio") return (text) => numbers.percent(text, digits);
  if (kind === "bytes") return numbers.bytes;
  if (kind === "duration") return (text) => numbers.duration.write(text, digits);
  return digits === undefined ? numbers.decimal : (text) => numbers.rounded(text, digits);
}
