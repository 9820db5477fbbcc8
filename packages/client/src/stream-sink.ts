import type { DownloadSink } from "./download-file.ts";

/** Writes a file to a stream: closes it at the end, aborts it where the file cannot be had. */
export function streamSink(stream: WritableStream<Uint8Array>): DownloadSink {
  const writer = stream.getWriter();
  return {
    restart: null,
    async write(bytes) {
      await writer.ready;
      await writer.write(bytes);
    },
    async commit() {
      await writer.close();
      writer.releaseLock();
    },
    async abandon(reason) {
      await writer.abort(reason).catch(() => undefined);
      writer.releaseLock();
    },
  };
}
