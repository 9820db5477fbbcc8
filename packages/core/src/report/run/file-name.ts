import type { Report } from "../lifecycle/report-record.ts";

/** File systems allow 255 bytes, and programs append suffixes while saving. */
const maxNameBytes = 180;

/**
 * Returns a file name for browsers: the title in its script, start day and time in the report's zone, and the extension. docs/reference/resources/report-files.md#headers-of-a-file. Keeps only letters, digits,
 * marks, blanks and `-_.()` of the title, to prevent header, path and display tricks. Cuts at a grapheme to 180 bytes of UTF-8.
 */
export function fileNameOf(
  report: Pick<Report, "title" | "createdAt" | "reportType" | "options">,
  extension: string,
): string {
  const kept = report.title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}\p{M}\-_.() ]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, "");
  const end = ` ${writeTime(report.createdAt, report.options.timezone)}.${extension}`;
  const short = [...kept].slice(0, 80).join("");
  const name = cutToBytes(short, maxNameBytes - Buffer.byteLength(end)).trim() || report.reportType.toLowerCase();
  return `${name}${end}`;
}

/** By time zone, because making one takes half a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-05 001530`: sorts by time, without the colon that Windows forbids. */
function writeTime(time: Date, timeZone: string): string {
  // Swedish dates and times look like ISO 8601.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  formats.set(timeZone, format);
  return format.format(time).replaceAll(":", "");
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Returns as many whole graphemes as fit into this many bytes of UTF-8. */
function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept += segment;
  }
  return kept;
}
