export * from "./file-store-choice.ts";
export * from "./file-system/file-system-store.ts";
export * from "./minio/minio-store.ts";
