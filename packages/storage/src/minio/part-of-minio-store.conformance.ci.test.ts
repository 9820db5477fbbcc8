import { randomBytes } from "node:crypto";
import { startMinio, type MinioServer } from "@reports/testing";
import { afterAll } from "vitest";
import { testFileStoreConformance } from "../test-file-store-conformance.fixture.ts";
import { withKeyPrefix } from "../with-key-prefix.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();

afterAll(async () => minio?.stop());

testFileStoreConformance(
  "a part of MinIO",
  async () => {
    const bucket = `conformance-${randomBytes(4).toString("hex")}`;
    const store = withKeyPrefix(
      createMinioStore({ ...(minio as MinioServer), bucket, connectTimeoutMs: 60_000 }),
      "team-a/production",
    );
    return { store, [Symbol.asyncDispose]: async () => undefined };
  },
  { skip: minio === null },
);
