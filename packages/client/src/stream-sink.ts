import type { DownloadSink } from "./download-file.ts";

/** Writes a file to a stream. Closes the stream at the end, and aborts it if the download fails. */
export function createStreamSink(stream: WritableStream<Uint8Array>): DownloadSink {
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
      // An abort waits for a running write of the stream, which may never end. During a write, `abandon` does not wait for the abort.
      if (!isWriting) await aborted;
      writer.releaseLock();
    },
  };
}
