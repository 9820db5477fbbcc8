import type { CallOptions, StartOptions } from "./call-options.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportFileRecord } from "./wire/generated/report.ts";
import type { ReportFileStart } from "./wire/generated/report-start.ts";

/** Reads, starts and deletes the files of one report. docs/reference/resources/report-files.md#additional-formats. */
export interface ReportFileRecords<Input = ReportFileStart> {
  /** Lists the report's own file first, then its additional formats, oldest first. */
  list(options?: CallOptions): Promise<readonly ReportFileRecord[]>;
  /** Starts an additional format. Retries of the request start it only once. */
  start(input: Input, options?: StartOptions): Promise<ReportFileRecord>;
  get(fileId: string, options?: CallOptions): Promise<ReportFileRecord>;
  /** Deletes an additional format, or cancels an unfinished one. Succeeds if it is already deleted. */
  remove(fileId: string, options?: CallOptions): Promise<void>;
}

export function createFileRecordMethods(transport: Transport, reportId: string): ReportFileRecords {
  const at = createResourceClientFactory(transport, "reports", reportId, "files");
  const records: ReportFileRecords = {
    list: at().get,
    start: at().start,
    async get(id, options) {
      const found = (await records.list(options)).find((file) => file.id === id);
      // For an unknown file, the download endpoint returns the error that says why it is missing.
      return found ?? at(id).get(options);
    },
    remove: async (id, options) => at(id).remove(options),
  };
  return records;
}
