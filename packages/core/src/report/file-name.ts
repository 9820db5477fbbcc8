import type { Report } from "./record.ts";

/**
 * Name of a report's file, as browsers save it: the title in its own script, day and time of the start in the report's zone, by which
 * two reports of one title are told apart, and the extension. docs/contract.md §5.2. Only letters, digits, marks, blanks and `-_.()` of the title are kept, so that no header, path or display trick gets in.
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
  const name = [...kept].slice(0, 80).join("").trim() || report.reportType.toLowerCase();
  return `${name} ${writeTime(report.createdAt, report.options.timezone)}.${extension}`;
}

/** By time zone: to make one takes half a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-05 001530`: sorts by time, and has no colon, which Windows does not allow in names. */
function writeTime(time: Date, timeZone: string): string {
  // Swedish writes dates and times as ISO 8601 does.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  formats.set(timeZone, format);
  return format.format(time).replaceAll(":", "");
}
