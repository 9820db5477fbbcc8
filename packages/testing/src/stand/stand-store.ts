import { join } from "node:path";
import { startMinio, type MinioServer } from "../minio.ts";
import type { Environment } from "./stand-process.ts";

/** Where report files are stored: a folder, or MinIO with a bucket that the service creates. */
export type StandStoreKind = "folder" | "minio";

/** The file store of a stand. */
export interface StandStore extends AsyncDisposable {
  /** Variables of API and worker. */
  readonly environment: Environment;
}

/** Opens a file store, below the folder if it is one. */
export async function openStandStore(kind: StandStoreKind, folder: string): Promise<StandStore> {
  if (kind === "folder")
    return { environment: { STORAGE_DIR: join(folder, "files") }, [Symbol.asyncDispose]: async () => undefined };
  const server = await startMinio();
  if (server === null) throw new Error("There is no MinIO on this machine. Put minio on PATH, or use a folder.");
  return { environment: minioEnvironment(server), [Symbol.asyncDispose]: async () => server.stop() };
}

/** Returns the variables of API and worker for a MinIO. */
export function minioEnvironment({ endpoint, accessKey, secretKey }: MinioServer, bucket = "reports"): Environment {
  return {
    MINIO_ENDPOINT: endpoint,
    MINIO_ACCESS_KEY: accessKey,
    MINIO_SECRET_KEY: secretKey,
    MINIO_BUCKET: bucket,
  };
}
