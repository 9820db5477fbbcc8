export { createFileStore, type FileStoreChoice } from "./file-store-choice.ts";
export { createFileSystemStore } from "./file-system/file-system-store.ts";
export {
  adoptEmptyStore,
  adoptStore,
  describeMarker,
  type AdoptionDeps,
  type AdoptionOutcome,
} from "./marker/adopt-store.ts";
export { proveWritable } from "./marker/prove-writable.ts";
export { createStoreIdentity, markerKey } from "./marker/store-identity.ts";
export type { StoreNotes } from "./store-notes.ts";
