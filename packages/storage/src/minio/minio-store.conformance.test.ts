import { randomBytes } from "node:crypto";
import { startMinio } from "@reports/testing";
import type { MinioServer } from "@reports/testing";
import { afterAll } from "vitest";
import { fileStoreConformance } from "../file-store-conformance.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();
const name =
  minio === null
    ? "MinIO (skipped: put minio on PATH, or set MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY)"
    : "MinIO";

afterAll(async () => minio?.stop());

fileStoreConformance(
  name,
  async () => ({
    // A bucket that is not there yet: the check makes it.
    store: createMinioStore({ ...(minio as MinioServer), bucket: `conformance-${randomBytes(4).toString("hex")}` }),
    [Symbol.asyncDispose]: async () => undefined,
  }),
  { skip: minio === null },
);
