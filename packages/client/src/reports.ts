import type { CallOptions, StartOptions } from "./call-options.ts";
import { downloadReport, type DownloadOptions, type DownloadPlatform, type DownloadProgress } from "./download-file.ts";
import { linksOf, type DownloadLinks } from "./download-links.ts";
import { ReportFailedError } from "./errors.ts";
import { followEvents, type ReportNews } from "./follow-events.ts";
import type { List } from "./list.ts";
import { createReportFiles, type ReportFiles } from "./report-files.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportFileStartOf, ReportStartOf, ReportTypeName } from "./typed-requests.ts";
import { waitForReport, type WaitOptions } from "./wait-for-report.ts";
import type { ReportQuery } from "./wire/generated/queries.ts";
import type { Report, StartedReport } from "./wire/generated/report.ts";

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
export interface Reports<Target, Types = unknown> {
  /** Starts a report. Retries of the request start it only once. */
  start(input: ReportStartOf<Types>, options?: StartOptions): Promise<StartedReport>;
  get(id: string, options?: CallOptions): Promise<Report>;
  /** Lists reports, newest first unless the query has a `sort`. */
  list(query?: ReportQuery, options?: CallOptions): List<Report>;
  rename(id: string, title: string, options?: CallOptions): Promise<Report>;
  cancel(id: string, options?: CallOptions): Promise<Report>;
  /** Deletes a report and its files. Cancels an unfinished report. Succeeds if the report is already deleted. */
  remove(id: string, options?: CallOptions): Promise<void>;
  /** Yields every transition of a report, and its progress, until the report has ended. */
  events(id: string, options?: CallOptions): AsyncIterable<ReportNews>;
  /** Resolves with the record once the report has ended: SUCCEEDED, FAILED, CANCELLED or EXPIRED. */
  wait(id: string, options?: WaitOptions): Promise<Report>;
  /**
   * Downloads the file of a report and resumes after a broken connection. Rejects with a ReportFailedError if the report ended without a
   * file. Rejects with the code `wrong-file` if the bytes differ from the record.
   */
  download(report: Report, target: Target, options?: DownloadOptions): Promise<void>;
  /** Returns the methods for the files of one report: its own file and additional formats. */
  files<Name extends ReportTypeName<Types> = ReportTypeName<Types>>(
    reportId: string,
  ): ReportFiles<Target, ReportFileStartOf<Types, Name>>;
  /** Returns the methods for links that download one file without credentials. */
  links(reportId: string, fileId: string): DownloadLinks;
  /** Starts a report, waits for it and downloads it. Rejects with a ReportFailedError if it does not succeed. */
  run(input: ReportStartOf<Types>, options: RunOptions<Target>): Promise<Report>;
}

export function createReports<Target>(transport: Transport, platform: DownloadPlatform<Target>): Reports<Target> {
  const at = resourcesAt(transport, "reports");
  const reports: Reports<Target> = {
    start: at().start,
    get: async (id, options) => at(id).get(options),
    list: at().list,
    rename: async (id, title, options) => at(id).patch({ title }, options),
    cancel: async (id, options) => at(id).patch({ status: "CANCELLED" }, options),
    remove: async (id, options) => at(id).remove(options),
    events: (id, options) => followEvents(transport, id, options),
    wait: async (id, options) => waitForReport(transport, id, options),
    files: (reportId) => createReportFiles(transport, platform, reportId),
    links: (reportId, fileId) => linksOf(transport, reportId, fileId),
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
