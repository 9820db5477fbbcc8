import { open, rename, rm } from "node:fs/promises";
import type { DownloadSink } from "../download-file.ts";

/** Writes a file beside its path, as NAME.part, and puts it there once it is whole and on the disk. */
export async function fileSink(path: string): Promise<DownloadSink> {
  const part = `${path}.part`;
  const file = await open(part, "w");
  return {
    async write(bytes) {
      await file.writeFile(bytes);
    },
    async restart() {
      await file.truncate(0);
    },
    async commit() {
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
    },
    async abandon() {
      await file.close();
      await rm(part, { force: true });
    },
  };
}
