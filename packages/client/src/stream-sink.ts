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
    commit: async () => writer.close(),
    abandon: async (reason) => writer.abort(reason).catch(() => undefined),
  };
}
