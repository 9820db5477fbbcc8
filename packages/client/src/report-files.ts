import type { CallOptions, StartOptions } from "./call-options.ts";
import { downloadTo, type DownloadableFile, type DownloadOptions, type DownloadPlatform } from "./download-file.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { ReportFileRecord } from "./wire/generated/report.ts";
import type { ReportFileStart } from "./wire/generated/report-start.ts";

/** How a file is waited for. */
export interface FileWaitOptions extends CallOptions {
  /** Is told the record as it is, again and again, its end included. */
  readonly onProgress?: ((file: ReportFileRecord) => void) | undefined;
}

/** The files of one report. docs/reference/resources/report-files.md#additional-formats. */
export interface ReportFiles<Target> {
  /** The report's own first, then further ones by their age. */
  list(options?: CallOptions): Promise<readonly ReportFileRecord[]>;
  /** Has a further file made, once, however often the request has to be sent. */
  start(input: ReportFileStart, options?: StartOptions): Promise<ReportFileRecord>;
  get(fileId: string, options?: CallOptions): Promise<ReportFileRecord>;
  /** The record once the file has ended: SUCCEEDED, FAILED, CANCELLED or EXPIRED. The signal ends the wait. */
  wait(fileId: string, options?: FileWaitOptions): Promise<ReportFileRecord>;
  /** Downloads a file that has succeeded, going on where the connection breaks off. Rejects with a TypeError for one that has not. */
  download(file: ReportFileRecord, target: Target, options?: DownloadOptions): Promise<void>;
  /** Deletes a further file; cancels it where it is open. Succeeds, too, where it is deleted already. */
  remove(fileId: string, options?: CallOptions): Promise<void>;
}

export function filesOf<Target>(
  transport: Transport,
  platform: DownloadPlatform<Target>,
  reportId: string,
): ReportFiles<Target> {
  const at = resourcesAt(transport, "reports", reportId, "files");
  const files: ReportFiles<Target> = {
    list: at().get,
    start: at().start,
    async get(id, options) {
      const found = (await files.list(options)).find((file) => file.id === id);
      // The download says why there is none.
      return found ?? at(id).get(options);
    },
    async wait(id, options = {}) {
      for (;;) {
        const file = await files.get(id, options);
        options.onProgress?.(file);
        if (file.finishedAt !== null) return file;
        await transport.pacing.pause(2_000, options.signal);
      }
    },
    async download(file, target, options = {}) {
      if (file.sha256 === null) throw new TypeError(`The file ${file.id} has no bytes yet: wait for it first.`);
      // Everything about the bytes is known from the same moment on.
      await downloadTo(transport, platform, { reportId, file: file as DownloadableFile, target, options });
    },
    remove: async (id, options) => at(id).remove(options),
  };
  return files;
}
