import type {
  DownloadOptions,
  DownloadTarget as Destination,
  ReportFile,
  ReportFileRecord,
  ReportWarning,
} from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { formatBytes, formatRowCount } from "../output/format-amount.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { assertReportSucceeded } from "../report-end.ts";
import { waitForReportEnd, type ReportWaitContext } from "./create-report-wait-context.ts";
import { resolveTargetPath, type DownloadTarget } from "./download-target.ts";

interface SavedRecord {
  readonly id: string;
  readonly file: Pick<ReportFile, "fileName" | "extension" | "size"> | null;
  readonly rowCount: number | null;
  readonly warnings: readonly ReportWarning[];
  readonly record: unknown;
}

interface SaveOptions {
  readonly target: DownloadTarget;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

export async function waitForReportAndSave(
  context: CommandContext,
  followed: ReportWaitContext,
  options: Omit<SaveOptions, "signal">,
): Promise<void> {
  const { signal } = followed;
  await followed.run(async () => {
    const report = await waitForReportEnd(context, followed);
    assertReportSucceeded(report);
    await save(context, { ...report, record: report }, { ...options, signal }, async (to, how) =>
      context.gateway().reports.download(report, to, how),
    );
  });
}

export async function saveRendition(
  context: CommandContext,
  record: ReportFileRecord,
  options: SaveOptions,
): Promise<void> {
  const { fileName, extension, size } = record;
  const file = fileName === null || extension === null || size === null ? null : { fileName, extension, size };
  const files = context.gateway().reports.files(record.reportId);
  await save(context, { ...record, file, record }, options, async (to, how) => files.download(record, to, how));
}

async function save(
  context: CommandContext,
  report: SavedRecord,
  options: SaveOptions,
  download: (to: Destination, how: DownloadOptions) => Promise<void>,
): Promise<void> {
  const { output } = context;
  const { target, signal } = options;
  const path = target.kind === "stdout" ? null : await resolveTargetPath(target, report);
  const total = report.file?.size ?? null;
  try {
    await download(path ?? output.bytes, {
      signal,
      onProgress({ bytesDone: done }) {
        const percent = total === null || total === 0 ? null : (100 * done) / total;
        output.bar.update({ phase: "downloading", unit: "bytes", done, total, percent });
      },
    });
  } finally {
    output.bar.clear();
  }
  const rows = report.rowCount === null ? [] : [formatRowCount(report.rowCount)];
  const bytes = total === null ? [] : [formatBytes(total)];
  output.say(
    `${path === null ? "Written" : "Saved"}: ${[...rows, ...bytes].join(", ")}; its SHA-256 is that of the record.`,
  );
  for (const { message } of report.warnings) output.say(`Note: ${toSafeText(message)}`);
  if (options.json) output.write(toSafeJson(report.record));
  else if (path !== null) output.write(toSafeText(path));
}
