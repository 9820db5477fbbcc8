import type { DownloadSink } from "./download-file.ts";

/** Writes a file to a stream: closes it at the end, aborts it where the file cannot be had. */
export function streamSink(stream: WritableStream<Uint8Array>): DownloadSink {
  const writer = stream.getWriter();
  let isWriting = false;
  return {
    restart: null,
    async write(bytes) {
      isWriting = true;
      await writer.write(bytes);
      isWriting = false;
    },
    async commit() {
      await writer.close();
      writer.releaseLock();
    },
    async abandon(reason) {
      const aborted = writer.abort(reason).catch(() => undefined);
      // A stream is aborted behind its last write, and who leaves during one does not wait for that.
      if (!isWriting) await aborted;
      writer.releaseLock();
    },
  };
}
