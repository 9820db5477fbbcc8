import { join } from "node:path";
import { startMinio, type MinioServer } from "../minio.ts";
import type { ProcessEnvironment } from "./stand-process.ts";

/** File store of a stand: a folder, or a new MinIO server. The service creates the bucket. */
export type StandStoreKind = "folder" | "minio";

export async function openStandStore(kind: StandStoreKind, folder: string) {
  if (kind === "folder")
    return { environment: { STORAGE_DIR: join(folder, "files") }, [Symbol.asyncDispose]: async () => undefined };
  const server = await startMinio();
  if (server === null) throw new Error("There is no MinIO on this machine. Put minio on PATH, or use a folder.");
  return { environment: buildMinioEnvironment(server), [Symbol.asyncDispose]: async () => server.stop() };
}

export function buildMinioEnvironment({ endpoint, accessKey, secretKey }: MinioServer): ProcessEnvironment {
  return {
    MINIO_ENDPOINT: endpoint,
    MINIO_ACCESS_KEY: accessKey,
    MINIO_SECRET_KEY: secretKey,
    MINIO_BUCKET: "reports",
  };
}
