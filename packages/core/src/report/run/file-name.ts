import type { Report } from "../lifecycle/report-record.ts";

/** Longest file name in bytes. File systems allow 255 bytes, and programs append suffixes while they save a file. */
const maxNameBytes = 180;

/**
 * Returns a file name for browsers: the title, the day and time of the start in the report's time zone, and the extension.
 * docs/reference/resources/report-files.md#headers-of-a-file. Only letters, digits, marks, blanks and `-_.()` of the title remain, so that it cannot
 * change a header, a path or the direction of text. Cut at a grapheme to 180 bytes of UTF-8.
 */
export function toFileName(
  report: Pick<Report, "title" | "createdAt" | "reportType" | "options">,
  extension: string,
): string {
  const kept = report.title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}\p{M}\-_.() ]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, "");
  const end = ` ${formatTime(report.createdAt, report.options.timezone)}.${extension}`;
  const short = [...kept].slice(0, 80).join("");
  const name = cutToBytes(short, maxNameBytes - Buffer.byteLength(end)).trim() || report.reportType.toLowerCase();
  return `${name}${end}`;
}

/** Formats by time zone. They are cached, because creating one takes half a millisecond. */
const formatCache = new Map<string, Intl.DateTimeFormat>();

/** Returns a time as `2026-03-05 001530`, which sorts by time and has no colon, which Windows forbids. */
function formatTime(time: Date, timeZone: string): string {
  // The Swedish locale writes dates and times like ISO 8601.
  const format =
    formatCache.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  formatCache.set(timeZone, format);
  return format.format(time).replaceAll(":", "");
}

function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept += segment;
  }
  return kept;
}
