import type { FileStore } from "@reports/core";
import { createFileSystemStore } from "./file-system/file-system-store.ts";
import { createMinioStore, type MinioStoreOptions } from "./minio/minio-store.ts";
import type { StoreNotes } from "./store-notes.ts";
import { withPrefix } from "./with-prefix.ts";

/** Which store a deployment has: a folder, or an S3-compatible store; the whole of it unless there is a prefix. */
export type FileStoreChoice = ({ readonly directory: string } | MinioStoreOptions) & {
  /** Of every key, without a slash at its end. */
  readonly prefix?: string;
};

/** Makes the store that the deployment has chosen. Connects to nothing and makes no folder or bucket. Throws RangeError on a bad prefix. */
export function createFileStore(choice: FileStoreChoice): FileStore & StoreNotes {
  const whole = "directory" in choice ? createFileSystemStore(choice) : createMinioStore(choice);
  return choice.prefix === undefined ? whole : withPrefix(whole, choice.prefix);
}
