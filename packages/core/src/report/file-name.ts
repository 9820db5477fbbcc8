import type { Report } from "./record.ts";

/**
 * Name of a report's file, as browsers save it: the title in its own script, the day of the start (UTC) and the extension.
 * Only letters, digits, marks, blanks and `-_.()` of the title are kept, so that no header, path or display trick gets in.
 */
export function fileNameOf(report: Pick<Report, "title" | "createdAt" | "reportType">, extension: string): string {
  const kept = report.title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}\p{M}\-_.() ]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, "");
  const name = [...kept].slice(0, 80).join("").trim() || report.reportType.toLowerCase();
  return `${name} ${report.createdAt.toISOString().slice(0, 10)}.${extension}`;
}
