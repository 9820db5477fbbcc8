import type { FileStore } from "@reports/core/base";
import { createFileSystemStore, type FileSystemStoreOptions } from "./file-system/file-system-store.ts";
import type { MinioStoreOptions } from "./minio/minio-store.ts";
import type { StoreNotes } from "./store-notes.ts";
import { withKeyPrefix } from "./with-key-prefix.ts";

export type FileStoreOptions = (FileSystemStoreOptions | MinioStoreOptions) & {
  /** Prefix of every key in the store, without a final slash. */
  readonly prefix?: string;
};

/** Opens a file store without creating its folder or bucket. Rejects with RangeError for an invalid prefix or address. */
export async function createFileStore(choice: FileStoreOptions): Promise<FileStore & StoreNotes> {
  const whole = "directory" in choice ? createFileSystemStore(choice) : await createChosenMinioStore(choice);
  return choice.prefix === undefined ? whole : withKeyPrefix(whole, choice.prefix);
}

async function createChosenMinioStore(options: MinioStoreOptions): Promise<FileStore & StoreNotes> {
  const { createMinioStore } = await import("./minio/minio-store.ts");
  return createMinioStore(options);
}
