import { join } from "node:path";
import { startMinio, type MinioServer } from "../minio.ts";
import type { Environment } from "./stand-process.ts";

/** A folder, or MinIO with a bucket that the service creates. */
export type StandStoreKind = "folder" | "minio";

/** `folder` is the parent of a store in a folder. */
export async function openStandStore(kind: StandStoreKind, folder: string) {
  if (kind === "folder")
    return { environment: { STORAGE_DIR: join(folder, "files") }, [Symbol.asyncDispose]: async () => undefined };
  const server = await startMinio();
  if (server === null) throw new Error("There is no MinIO on this machine. Put minio on PATH, or use a folder.");
  return { environment: minioEnvironment(server), [Symbol.asyncDispose]: async () => server.stop() };
}

export function minioEnvironment({ endpoint, accessKey, secretKey }: MinioServer, bucket = "reports"): Environment {
  return {
    MINIO_ENDPOINT: endpoint,
    MINIO_ACCESS_KEY: accessKey,
    MINIO_SECRET_KEY: secretKey,
    MINIO_BUCKET: bucket,
  };
}
