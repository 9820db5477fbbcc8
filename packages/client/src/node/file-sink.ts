import { lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import type { DownloadSink } from "../download-file.ts";

/** Writes to `NAME.part` in the same folder. `commit` flushes the file to the disk and renames it to `NAME`. */
export async function createFileSink(target: string): Promise<DownloadSink> {
  const path = await resolveTarget(target);
  const part = `${path}.part`;
  // Deletes an existing `.part` file first. Otherwise the download could write through a link, or into the file of another download.
  await rm(part, { force: true });
  const file = await open(part, "wx");
  const { ino } = await file.stat({ bigint: true });
  const isOwnPart = async (): Promise<boolean> => {
    const found = await lstat(part, { bigint: true }).catch(() => null);
    return found?.ino === ino;
  };
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
      if (!(await isOwnPart())) throw new Error(`Another download writes to ${path}.`);
      await file.close();
      await rename(part, path);
    },
    async abandon() {
      const exists = await isOwnPart();
      await file.close().catch(() => undefined);
      if (exists) await rm(part, { force: true }).catch(() => undefined);
    },
  };
}

/** Returns the path with links resolved. Throws if it names a folder, a device or a pipe, because the rename would replace it. */
async function resolveTarget(target: string): Promise<string> {
  const path = await realpath(target).catch(() => target);
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw new Error(`${path} is not a regular file, and is not replaced by one.`);
  return path;
}
