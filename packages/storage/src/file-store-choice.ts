import type { FileStore } from "@reports/core/base";
import { createFileSystemStore } from "./file-system/file-system-store.ts";
import type { MinioStoreOptions } from "./minio/minio-store.ts";
import type { StoreNotes } from "./store-notes.ts";
import { withPrefix } from "./with-prefix.ts";

/** Which store a deployment has: a folder, or an S3-compatible store; the whole of it unless there is a prefix. */
export type FileStoreChoice = ({ readonly directory: string } | MinioStoreOptions) & {
  /** Of every key, without a slash at its end. */
  readonly prefix?: string;
};

/**
 * Makes the store that the deployment has chosen, and loads what that takes: MinIO's client is 40 MB that a process on a folder does without.
 * Connects to nothing and makes no folder or bucket. Rejects with RangeError on a bad prefix, or a bad address of an S3-compatible store.
 */
export async function createFileStore(choice: FileStoreChoice): Promise<FileStore & StoreNotes> {
  const whole = "directory" in choice ? createFileSystemStore(choice) : await createChosenMinioStore(choice);
  return choice.prefix === undefined ? whole : withPrefix(whole, choice.prefix);
}

async function createChosenMinioStore(options: MinioStoreOptions): Promise<FileStore & StoreNotes> {
  const { createMinioStore } = await import("./minio/minio-store.ts");
  return createMinioStore(options);
}
