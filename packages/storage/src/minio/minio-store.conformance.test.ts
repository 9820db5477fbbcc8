import { randomBytes } from "node:crypto";
import { startMinio } from "@reports/testing";
import { afterAll, describe, it } from "vitest";
import { fileStoreConformance } from "../file-store-conformance.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();

afterAll(async () => minio?.stop());

if (minio === null) {
  describe("MinIO as a FileStore", () => {
    it.skip("needs a MinIO server: put minio on PATH or set MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY", () =>
      undefined);
  });
} else {
  fileStoreConformance("MinIO", async () => ({
    // A bucket that is not there yet: the check makes it.
    store: createMinioStore({ ...minio, bucket: `conformance-${randomBytes(4).toString("hex")}` }),
    async [Symbol.asyncDispose]() {
      await Promise.resolve();
    },
  }));
}
