import type { Report } from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { formatBytes, formatCount } from "../output/format-amount.ts";
import { safeJson, safeText } from "../output/safe-text.ts";
import { targetPath, type DownloadTarget } from "./download-target.ts";

/**
 * Downloads the file of a report that has succeeded, with a bar, and tells about it: its path on standard output, or its record where JSON
 * is wanted; everything else in words.
 */
export async function saveFile(
  context: CommandContext,
  report: Report,
  options: { readonly target: DownloadTarget; readonly json: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { output } = context;
  const { target, signal } = options;
  const path = target.kind === "stdout" ? null : await targetPath(target, report);
  const total = report.file?.size ?? null;
  try {
    await context.gateway().reports.download(report, path ?? output.bytes, {
      signal,
      onProgress({ bytesDone: done }) {
        const percent = total === null || total === 0 ? null : (100 * done) / total;
        output.bar.update({ phase: "downloading", unit: "bytes", done, total, percent });
      },
    });
  } finally {
    output.bar.clear();
  }
  const rows = report.rowCount === null ? [] : [`${formatCount(report.rowCount)} rows`];
  const bytes = total === null ? [] : [formatBytes(total)];
  output.say(
    `${path === null ? "Written" : "Saved"}: ${[...rows, ...bytes].join(", ")}; its SHA-256 is that of the record.`,
  );
  for (const { message } of report.warnings) output.say(`Note: ${safeText(message)}`);
  if (options.json) output.write(safeJson(report));
  else if (path !== null) output.write(safeText(path));
}
