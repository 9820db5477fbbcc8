import type { ReportEstimate, ReportType } from "@reports/client";
import { formatCount } from "../parts/text.ts";

export interface FormatAdvice {
  /** Whether a start in this format certainly fails. If the number of rows is only estimated, a failure is not certain. */
  readonly isBlocked: boolean;
  readonly text: string;
  readonly instead: string | undefined;
}

/** Rows on a pdf page with the default columns, to estimate the number of pages. */
const rowsPerPdfPage = 30;
const maxReadablePages = 50;

export function findFormatAdvice(
  { formats }: Pick<ReportType, "formats">,
  estimate: Pick<ReportEstimate, "format" | "rows" | "rowsAre" | "fits"> | undefined,
): FormatAdvice | null {
  if (estimate === undefined || estimate.rows === null) return null;
  const { format, rows, rowsAre, fits } = estimate;
  const limit = formats.find((one) => one.format === format)?.maxRows;
  const instead = findFormatForMoreRows(formats, format, rows);
  if (fits === false && limit !== undefined) {
    const isBlocked = rowsAre === "EXACT";
    const what = isBlocked ? "Too many rows" : "Probably too many rows";
    return { isBlocked, text: `${what}: ${format} takes at most ${formatCount(limit)}.`, instead };
  }
  const pages = Math.ceil(rows / rowsPerPdfPage);
  if (format !== "pdf" || pages <= maxReadablePages || !formats.some((one) => one.format === "xlsx")) return null;
  return {
    isBlocked: false,
    text: `The pdf has about ${formatCount(roundedPages(pages))} pages. In xlsx, rows can be searched and filtered.`,
    instead: "xlsx",
  };
}

/** Returns the first format of the type that accepts more rows than `format`, and that also accepts `rows` if the number is known. */
export function findFormatForMoreRows(
  formats: ReportType["formats"],
  format: string,
  rows: number | null,
): string | undefined {
  const limit = formats.find((one) => one.format === format)?.maxRows ?? 0;
  return formats.find(({ maxRows }) => (rows === null ? maxRows > limit : maxRows >= rows && maxRows > limit))?.format;
}

/** Rounds to two significant digits, because the real number of pages depends on the columns. */
function roundedPages(pages: number): number {
  return Number(pages.toPrecision(2));
}
