import type { FileStore } from "@reports/core";
import { createFileSystemStore } from "./file-system/file-system-store.ts";
import { createMinioStore, type MinioStoreOptions } from "./minio/minio-store.ts";

/** Which store a deployment has: a folder, or an S3-compatible store. */
export type FileStoreChoice = { readonly directory: string } | MinioStoreOptions;

/** Makes the store that the deployment has chosen. */
export function createFileStore(choice: FileStoreChoice): FileStore {
  return "directory" in choice ? createFileSystemStore(choice) : createMinioStore(choice);
}
