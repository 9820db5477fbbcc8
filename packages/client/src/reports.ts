import type { CallOptions, StartOptions } from "./call-options.ts";
import { downloadFile, type DownloadOptions, type DownloadPlatform, type DownloadProgress } from "./download-file.ts";
import { linksOf, type DownloadLinks } from "./download-links.ts";
import { ReportFailedError } from "./errors.ts";
import { followEvents, type ReportNews } from "./follow-events.ts";
import type { List } from "./list.ts";
import { filesOf, type ReportFiles } from "./report-files.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import { waitForReport, type WaitOptions } from "./wait-for-report.ts";
import type { ReportQuery } from "./wire/generated/queries.ts";
import type { Report, StartedReport } from "./wire/generated/report.ts";
import type { ReportStart } from "./wire/generated/report-start.ts";

/** How far a report is, and then its download. */
export interface RunProgress {
  readonly report: Report;
  /** Null until the report has ended. */
  readonly download: DownloadProgress | null;
}

/** How a report is started, awaited and downloaded. */
export interface RunOptions<Target> extends StartOptions {
  /** Where the file goes. */
  readonly to: Target;
  /** After which a report that has not ended is left to itself, in milliseconds: a WaitTimeoutError. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** Reports. `Target` is what they can be downloaded to. */
export interface Reports<Target> {
  /** Starts a report, once, however often the request has to be sent. */
  start(input: ReportStart, options?: StartOptions): Promise<StartedReport>;
  get(id: string, options?: CallOptions): Promise<Report>;
  /** Newest first unless the query says another order. */
  list(query?: ReportQuery, options?: CallOptions): List<Report>;
  rename(id: string, title: string, options?: CallOptions): Promise<Report>;
  cancel(id: string, options?: CallOptions): Promise<Report>;
  /** Deletes a report and its file; cancels it where it is open. Succeeds, too, where it is deleted already. */
  remove(id: string, options?: CallOptions): Promise<void>;
  /** Every transition, from the creation on, and progress in between, until the report has ended. */
  events(id: string, options?: CallOptions): AsyncIterable<ReportNews>;
  /** The record once the report has ended: SUCCEEDED, FAILED, CANCELLED or EXPIRED. */
  wait(id: string, options?: WaitOptions): Promise<Report>;
  /**
   * Downloads the file of a report that has succeeded, going on where the connection breaks off. Rejects with a ReportFailedError for a
   * report that ended without a file, and with the code `wrong-file` when the bytes are not those of the record.
   */
  download(report: Report, target: Target, options?: DownloadOptions): Promise<void>;
  /** The files of one report: its own, and further ones of the rows that it has kept. */
  files(reportId: string): ReportFiles<Target>;
  /** The links by which others download a file without credentials. */
  links(reportId: string, fileId: string): DownloadLinks;
  /** Starts a report, waits for it and downloads it. Rejects with a ReportFailedError when it does not succeed. */
  run(input: ReportStart, options: RunOptions<Target>): Promise<Report>;
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
    files: (reportId) => filesOf(transport, platform, reportId),
    links: (reportId, fileId) => linksOf(transport, reportId, fileId),
    download: async (report, target, options) => downloadFile(transport, platform, report, target, options),
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
