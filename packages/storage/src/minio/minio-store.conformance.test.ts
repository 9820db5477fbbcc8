import { randomBytes } from "node:crypto";
import { startMinio } from "@reports/testing";
import type { MinioServer } from "@reports/testing";
import { afterAll } from "vitest";
import { fileStoreConformance } from "../file-store-conformance.fixture.ts";
import { withPrefix } from "../with-prefix.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();
const name =
  minio === null
    ? "MinIO (skipped: put minio on PATH, or set MINIO_ENDPOINT, MINIO_ACCESS_KEY and MINIO_SECRET_KEY)"
    : "MinIO";

afterAll(async () => minio?.stop());

const newStore = () =>
  createMinioStore({ ...(minio as MinioServer), bucket: `conformance-${randomBytes(4).toString("hex")}` });
const skip = minio === null;

fileStoreConformance(name, async () => ({ store: newStore(), [Symbol.asyncDispose]: async () => undefined }), { skip });
fileStoreConformance(
  `a part of ${name}`,
  async () => ({
    store: withPrefix(newStore(), "team-a/production"),
    [Symbol.asyncDispose]: async () => undefined,
  }),
  { skip },
);
