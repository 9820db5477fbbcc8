import type { StartOptions } from "./call-options.ts";
import { downloadReport, type DownloadOptions, type DownloadPlatform, type DownloadProgress } from "./download-file.ts";
import { ReportFailedError } from "./errors.ts";
import { createReportFileMethods, type ReportFiles } from "./report-files.ts";
import { createReportRecordMethods, type ReportRecords } from "./report-records.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportFileStartOf, ReportStartOf, ReportTypeName } from "./typed-requests.ts";
import { waitForReport, type WaitOptions } from "./wait-for-report.ts";
import type { Report } from "./wire/generated/report.ts";

/** The progress of a report, and then of its download. */
export interface RunProgress {
  readonly report: Report;
  /** The progress of the download. Null until the report has ended. */
  readonly download: DownloadProgress | null;
}

/** Options of `run`, which starts a report, waits for it and downloads its file. */
export interface RunOptions<Target> extends StartOptions {
  /** The destination of the downloaded file. */
  readonly to: Target;
  /** Milliseconds after which `run` rejects with a WaitTimeoutError. The report keeps running. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** Starts, reads and downloads reports. `Target` is the type of a download destination. */
export interface Reports<Target, Types = unknown> extends ReportRecords<Types> {
  /** Resolves with the record once the report has ended: SUCCEEDED, FAILED, CANCELLED or EXPIRED. */
  wait(id: string, options?: WaitOptions): Promise<Report>;
  /**
   * Downloads the file of a report and resumes after a broken connection. Rejects with a ReportFailedError if the report ended without a
   * file. Rejects with the code `wrong-file` if the bytes differ from the record.
   */
  download(report: Report, target: Target, options?: DownloadOptions): Promise<void>;
  files<Name extends ReportTypeName<Types> = ReportTypeName<Types>>(
    reportId: string,
  ): ReportFiles<Target, ReportFileStartOf<Types, Name>>;
  /** Starts a report, waits for it and downloads it. Rejects with a ReportFailedError if it does not succeed. */
  run(input: ReportStartOf<Types>, options: RunOptions<Target>): Promise<Report>;
}

export function createReportMethods<Target>(transport: Transport, platform: DownloadPlatform<Target>): Reports<Target> {
  const reports: Reports<Target> = {
    ...createReportRecordMethods(transport),
    wait: async (id, options) => waitForReport(transport, id, options),
    files: (reportId) => createReportFileMethods(transport, platform, reportId),
    download: async (report, target, options) => downloadReport(transport, platform, report, target, options),
    async run(input, options) {
      const { to, onProgress } = options;
      const { id } = await reports.start(input, options);
      const report = await reports.wait(id, {
        ...options,
        onProgress: onProgress && ((report) => onProgress({ report, download: null })),
      });
      if (report.status !== "SUCCEEDED") throw new ReportFailedError(report);
      await reports.download(report, to, {
        ...options,
        onProgress: onProgress && ((download) => onProgress({ report, download })),
      });
      return report;
    },
  };
  return reports;
}
