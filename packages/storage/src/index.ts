export { createFileStore, type FileStoreChoice } from "./file-store-choice.ts";
export { createFileSystemStore } from "./file-system/file-system-store.ts";
export {
  adoptEmptyStore,
  adoptStore,
  describeStoreId,
  type AdoptionDeps,
  type AdoptionOutcome,
} from "./store-id/adopt-store.ts";
export { checkWritable } from "./store-id/check-writable.ts";
export { createStoreIdentity, storeIdKey } from "./store-id/store-identity.ts";
export type { StoreNotes } from "./store-notes.ts";
