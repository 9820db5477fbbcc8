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
      // The abort of a stream waits for its running write, which may never end. So `abandon` waits for the abort only if no write is running.
      if (!isWriting) await aborted;
      writer.releaseLock();
    },
  };
}
