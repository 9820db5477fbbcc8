import { open, rename, rm } from "node:fs/promises";
import type { DownloadSink } from "../download-file.ts";

/** Writes a file beside its path, as NAME.part, and puts it there once it is whole and on the disk. */
export async function fileSink(path: string): Promise<DownloadSink> {
  const part = `${path}.part`;
  const file = await open(part, "w");
  let position = 0;
  return {
    async write(bytes) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position);
        done += bytesWritten;
        position += bytesWritten;
      }
    },
    async restart() {
      await file.truncate(0);
      position = 0;
    },
    async commit() {
      await file.sync();
      await file.close();
      await rename(part, path);
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await rm(part, { force: true }).catch(() => undefined);
    },
  };
}
