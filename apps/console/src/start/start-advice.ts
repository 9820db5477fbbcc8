import type { ReportEstimate, ReportType } from "@reports/client";
import { countText } from "../parts/text.ts";

/** Advice about a format that has too many rows, or too many pages. */
export interface StartAdvice {
  /** Whether a start in this format fails for certain. Only an exact number of rows is certain. */
  readonly isBlocked: boolean;
  readonly text: string;
  /** The first format of the type that takes the rows. Undefined if there is none. */
  readonly instead: string | undefined;
}

/** Rows that a page of a pdf holds with the default columns, to estimate the number of pages. */
const rowsPerPdfPage = 30;
const maxReadablePages = 50;

/** Returns the advice for a start in this format, or null if the format suits. */
export function adviseStart(
  { formats }: Pick<ReportType, "formats">,
  estimate: Pick<ReportEstimate, "format" | "rows" | "rowsAre" | "fits"> | undefined,
): StartAdvice | null {
  if (estimate === undefined || estimate.rows === null) return null;
  const { format, rows, rowsAre, fits } = estimate;
  const limit = formats.find((one) => one.format === format)?.maxRows;
  const instead = findRoomierFormat(formats, format, rows);
  if (fits === false && limit !== undefined) {
    const isBlocked = rowsAre === "EXACT";
    const what = isBlocked ? "Too many rows" : "Probably too many rows";
    return { isBlocked, text: `${what}: ${format} takes at most ${countText(limit)}.`, instead };
  }
  const pages = Math.ceil(rows / rowsPerPdfPage);
  if (format !== "pdf" || pages <= maxReadablePages || !formats.some((one) => one.format === "xlsx")) return null;
  return {
    isBlocked: false,
    text: `The pdf has about ${countText(roundedPages(pages))} pages. In xlsx, rows can be searched and filtered.`,
    instead: "xlsx",
  };
}

/** Returns the first format in the order of the type that takes the rows, or more rows than `format` if the number is unknown. */
export function findRoomierFormat(
  formats: ReportType["formats"],
  format: string,
  rows: number | null,
): string | undefined {
  const limit = formats.find((one) => one.format === format)?.maxRows ?? 0;
  return formats.find(({ maxRows }) => (rows === null ? maxRows > limit : maxRows >= rows && maxRows > limit))?.format;
}

/** Rounds to two digits, because the number of pages depends on the columns. */
function roundedPages(pages: number): number {
  return Number(pages.toPrecision(2));
}
