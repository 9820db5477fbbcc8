import type { CallOptions, StartOptions } from "./call-options.ts";
import { createDownloadLinkMethods, type DownloadLinks } from "./download-links.ts";
import { followEvents, type ReportNews } from "./follow-events.ts";
import type { List } from "./list.ts";
import { createFileRecordMethods, type ReportFileRecords } from "./report-file-records.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportFileStartOf, ReportStartOf, ReportTypeName } from "./typed-requests.ts";
import type { ReportQuery } from "./wire/generated/queries.ts";
import type { Report, StartedReport } from "./wire/generated/report.ts";

/** Starts and reads reports. */
export interface ReportRecords<Types = unknown> {
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
  /** Returns the methods for the files of one report: its own file and additional formats. */
  files<Name extends ReportTypeName<Types> = ReportTypeName<Types>>(
    reportId: string,
  ): ReportFileRecords<ReportFileStartOf<Types, Name>>;
  /** Returns the methods for links that download one file without credentials. */
  links(reportId: string, fileId: string): DownloadLinks;
}

export function createReportRecordMethods(transport: Transport): ReportRecords {
  const at = createResourceClientFactory(transport, "reports");
  return {
    start: at().start,
    get: async (id, options) => at(id).get(options),
    list: at().list,
    rename: async (id, title, options) => at(id).patch({ title }, options),
    cancel: async (id, options) => at(id).patch({ status: "CANCELLED" }, options),
    remove: async (id, options) => at(id).remove(options),
    events: (id, options) => followEvents(transport, id, options),
    files: (reportId) => createFileRecordMethods(transport, reportId),
    links: (reportId, fileId) => createDownloadLinkMethods(transport, reportId, fileId),
  };
}
