import { randomBytes } from "node:crypto";
import { startMinio, type MinioServer } from "@reports/testing";
import { afterAll } from "vitest";
import { testFileStoreConformance } from "../test-file-store-conformance.fixture.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();

afterAll(async () => minio?.stop());

const newStore = () =>
  createMinioStore({
    ...(minio as MinioServer),
    bucket: `conformance-${randomBytes(4).toString("hex")}`,
    connectTimeoutMs: 60_000,
  });

testFileStoreConformance("MinIO", async () => ({ store: newStore(), [Symbol.asyncDispose]: async () => undefined }), {
  skip: minio === null,
});
