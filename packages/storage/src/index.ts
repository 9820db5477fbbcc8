export * from "./file-store-choice.ts";
export * from "./file-system/file-system-store.ts";
export * from "./marker/adopt-store.ts";
export * from "./marker/prove-writable.ts";
export * from "./marker/store-identity.ts";
export * from "./minio/minio-store.ts";
export type { StoreNotes } from "./store-notes.ts";
