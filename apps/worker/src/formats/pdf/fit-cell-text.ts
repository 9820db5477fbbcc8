import { isNumericKind, type ReportColumn } from "@reports/core/report";
import { parseListTitles } from "./cell-formatter.ts";
import { createAmountFormatter } from "../amount-formatter.ts";
import type { NumberFormatter } from "../number-formatter.ts";
import type { PdfTextPen } from "./pdf-text-pen.ts";

/** Smallest share of the table's font size at which a number is written in full. Below it, the number is rounded to a unit such as T. */
const minFontShare = 0.75;

export interface FittedText {
  readonly text: string;
  readonly size: number;
}

/**
 * Fits a value that is wider than its column. A number is never cut: it is written smaller, then rounded to a unit (16.5T). A list ends with a
 * complete element and the number of the others. A text is cut at its start if its column says so; otherwise the pen cuts its end.
 */
export function fitCellText(
  pen: PdfTextPen,
  given: {
    readonly column: ReportColumn;
    readonly value: string;
    readonly code?: string | null;
    readonly text: string;
    readonly bold: boolean;
    readonly size: number;
    readonly maxEm: number;
    readonly numbers: NumberFormatter;
  },
): FittedText {
  const { column, value, text, bold, size, maxEm } = given;
  if (column.kind === "list") return { text: fitList(pen, given), size };
  if (canShortenValues(column)) return { text: column.keepsEnd === true ? fitEnd(pen, text, bold, maxEm) : text, size };
  const smaller = (shown: string, share: number): FittedText => ({
    text: shown,
    size: Math.max(1, Math.floor(size * share)),
  });
  const share = maxEm / pen.measure(text, bold);
  if (share >= minFontShare || !isNumericKind(column.kind) || column.plainDigits === true) return smaller(text, share);
  pen.clippedCount++;
  const short = createAmountFormatter(column, given.numbers).short(value, given.code);
  return smaller(short, Math.min(1, maxEm / pen.measure(short, bold)));
}

export function canShortenValues({ kind, tones, titles }: ReportColumn): boolean {
  return kind === "list" || (kind === "text" && tones === undefined && titles === undefined);
}

export function shortenToFirstElement(column: ReportColumn, value: string): string {
  const [first = "", ...others] = parseListTitles(column, value);
  return others.length === 0 ? first : `${first} +${others.length}`;
}

function fitList(
  pen: PdfTextPen,
  given: Pick<Parameters<typeof fitCellText>[1], "column" | "value" | "text" | "bold" | "maxEm" | "numbers">,
): string {
  const { bold, maxEm } = given;
  const elements = parseListTitles(given.column, given.value);
  if (elements.length < 2) return given.text;
  pen.clippedCount++;
  const andMore = (count: number): string => ` +${given.numbers.decimal(String(count))}`;
  let shown = "";
  let whole = "";
  for (const [at, element] of elements.entries()) {
    whole = at === 0 ? element : `${whole}, ${element}`;
    const more = andMore(elements.length - at - 1);
    if (pen.measure(whole + more, bold) > maxEm) return at === 0 ? fitStart(pen, element, more, bold, maxEm) : shown;
    shown = whole + more;
  }
  return shown;
}

/** Matches the last character after which a text may be broken, as in host names, URLs and sentences. */
const breakPattern = /[\s./:_,;@+-](?=[^\s./:_,;@+-]*$)/;
const minBreakShare = 0.4;

export function breakTextAtWidth(
  pen: PdfTextPen,
  text: string,
  bold: boolean,
  maxEm: number,
): [first: string, rest: string] {
  const start = text.slice(0, 2000);
  const most = findMaxFittingCount(start.length, (count) => pen.measure(start.slice(0, count), bold) <= maxEm);
  const natural = (breakPattern.exec(start.slice(0, most))?.index ?? -1) + 1;
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(most));
  const at = natural >= most * minBreakShare && natural > 0 ? natural : Math.max(1, isPair ? most - 1 : most);
  return [text.slice(0, at), text.slice(at)];
}

export function truncateBeforeSuffix(pen: PdfTextPen, text: string, suffix: string, maxEm: number): string {
  const whole = `${text}${suffix}`;
  return pen.measure(whole, false) <= maxEm ? whole : fitStart(pen, text, suffix, false, maxEm);
}

function fitStart(pen: PdfTextPen, text: string, suffix: string, bold: boolean, maxEm: number): string {
  const characters = Array.from(text.slice(0, 2000).toWellFormed());
  const cut = (count: number): string => `${characters.slice(0, count).join("")}…${suffix}`;
  const shown = findMaxFittingCount(characters.length, (count) => pen.measure(cut(count), bold) <= maxEm);
  return shown === 0 ? "…" : cut(shown);
}

function findMaxFittingCount(most: number, fits: (count: number) => boolean): number {
  let shown = 0;
  let tooMany = most + 1;
  while (tooMany - shown > 1) {
    const middle = (shown + tooMany) >> 1;
    if (fits(middle)) shown = middle;
    else tooMany = middle;
  }
  return shown;
}

function fitEnd(pen: PdfTextPen, text: string, bold: boolean, maxEm: number): string {
  pen.clippedCount++;
  const start = pen.startOfEnd(text, bold, maxEm - pen.measure("…", bold));
  if (start !== undefined) return `…${text.slice(start)}`;
  // Only the last 2,000 characters are tried, because more never fit in a line.
  const characters = Array.from(text.slice(-2000).toWellFormed());
  const ending = (count: number): string => `…${characters.slice(-count).join("")}`;
  const shown = findMaxFittingCount(characters.length, (count) => pen.measure(ending(count), bold) <= maxEm);
  return shown === 0 ? "…" : ending(shown);
}
