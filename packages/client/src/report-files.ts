import type { CallOptions } from "./call-options.ts";
import {
  downloadReportFile,
  type DownloadableFile,
  type DownloadOptions,
  type DownloadPlatform,
} from "./download-file.ts";
import { createFileRecordMethods, type ReportFileRecords } from "./report-file-records.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportFileRecord } from "./wire/generated/report.ts";
import type { ReportFileStart } from "./wire/generated/report-start.ts";

/** Options of `files(…).wait`, which waits until a file has ended. */
export interface FileWaitOptions extends CallOptions {
  /** Called with the record of the file after every read, including the last one. */
  readonly onProgress?: ((file: ReportFileRecord) => void) | undefined;
}

/** Reads, starts, downloads and deletes the files of one report. */
export interface ReportFiles<Target, Input = ReportFileStart> extends ReportFileRecords<Input> {
  /** Resolves with the record once the file has ended: SUCCEEDED, FAILED, CANCELLED or EXPIRED. */
  wait(fileId: string, options?: FileWaitOptions): Promise<ReportFileRecord>;
  /** Downloads a file and resumes after a broken connection. Rejects with a TypeError if the file has not succeeded. */
  download(file: ReportFileRecord, target: Target, options?: DownloadOptions): Promise<void>;
}

export function createReportFileMethods<Target>(
  transport: Transport,
  platform: DownloadPlatform<Target>,
  reportId: string,
): ReportFiles<Target> {
  const records = createFileRecordMethods(transport, reportId);
  return {
    ...records,
    async wait(id, options = {}) {
      for (;;) {
        const file = await records.get(id, options);
        options.onProgress?.(file);
        if (file.finishedAt !== null) return file;
        await transport.pacing.pause(2_000, options.signal);
      }
    },
    async download(file, target, options = {}) {
      if (file.sha256 === null) throw new TypeError(`The file ${file.id} has no bytes yet: wait for it first.`);
      // The cast is safe, because a record with a SHA-256 also has a size.
      await downloadReportFile(transport, platform, { reportId, file: file as DownloadableFile, target, options });
    },
  };
}
