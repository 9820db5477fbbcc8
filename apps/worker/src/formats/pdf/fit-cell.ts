import type { ReportColumn } from "@reports/core";
import { isNumeric } from "./cell-format.ts";
import { isShortened } from "./column-needs.ts";
import type { NumberFormat } from "../number-format.ts";
import type { Pen } from "./pen.ts";

/** A number is set smaller down to this share of the table's size, and is then written shorter. */
const leastShare = 0.75;

/** What stands in a cell for a text that is too wide for it. */
export interface FittedText {
  readonly text: string;
  /** In the unit of the size that was given. */
  readonly size: number;
}

/**
 * Makes a value fit that is wider than its column. A number is never cut: it is set smaller, and where it would be too small to read, rounded
 * to a unit (16.5T). A text keeps the end that tells it apart, where its column says so; any other is left to the pen, which cuts its end.
 */
export function fitCell(
  pen: Pen,
  given: {
    readonly column: ReportColumn;
    readonly value: string;
    readonly text: string;
    readonly bold: boolean;
    readonly size: number;
    readonly maxEm: number;
    readonly numbers: NumberFormat;
  },
): FittedText {
  const { column, value, text, bold, size, maxEm } = given;
  if (isShortened(column)) return { text: column.keepsEnd === true ? endOf(pen, text, bold, maxEm) : text, size };
  const smaller = (shown: string, share: number): FittedText => ({
    text: shown,
    size: Math.max(1, Math.floor(size * share)),
  });
  const share = maxEm / pen.measure(text, bold);
  if (share >= leastShare || !isNumeric(column.kind) || column.plainDigits === true) return smaller(text, share);
  pen.clippedCount++;
  const short = given.numbers.short(value);
  return smaller(short, Math.min(1, maxEm / pen.measure(short, bold)));
}

/** The end of a text behind an ellipsis, as much of it as fits. */
function endOf(pen: Pen, text: string, bold: boolean, maxEm: number): string {
  pen.clippedCount++;
  const start = pen.startOfEnd(text, bold, maxEm - pen.measure("…", bold));
  if (start !== undefined) return `…${text.slice(start)}`;
  // Of a text that is longer than any column only the end can be seen.
  const characters = Array.from(text.slice(-2000).toWellFormed());
  let shown = 0;
  let tooMany = characters.length + 1;
  while (tooMany - shown > 1) {
    const middle = (shown + tooMany) >> 1;
    if (pen.measure(`…${characters.slice(-middle).join("")}`, bold) <= maxEm) shown = middle;
    else tooMany = middle;
  }
  return shown === 0 ? "…" : `…${characters.slice(-shown).join("")}`;
}
