export { createFileStore, type FileStoreOptions } from "./file-store-options.ts";
export { createFileSystemStore } from "./file-system/file-system-store.ts";
export {
  adoptEmptyStore,
  adoptStore,
  compareStoreIds,
  type StoreAdoptionDeps,
  type StoreAdoptionOutcome,
} from "./store-id/adopt-store.ts";
export { assertStoreWritable } from "./store-id/assert-store-writable.ts";
export { createStoreIdentity, storeIdKey } from "./store-id/store-identity.ts";
export type { StoreNotes } from "./store-notes.ts";
