import { randomBytes } from "node:crypto";
import { startMinio } from "@reports/testing";
import type { MinioServer } from "@reports/testing";
import { afterAll } from "vitest";
import { fileStoreConformance } from "../file-store-conformance.fixture.ts";
import { withPrefix } from "../with-prefix.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();

afterAll(async () => minio?.stop());

const newStore = () =>
  createMinioStore({ ...(minio as MinioServer), bucket: `conformance-${randomBytes(4).toString("hex")}` });
const skip = minio === null;

fileStoreConformance("MinIO", async () => ({ store: newStore(), [Symbol.asyncDispose]: async () => undefined }), {
  skip,
});
fileStoreConformance(
  "a part of MinIO",
  async () => ({
    store: withPrefix(newStore(), "team-a/production"),
    [Symbol.asyncDispose]: async () => undefined,
  }),
  { skip },
);
