import { randomBytes } from "node:crypto";
import { createFaultProxy, startMinio, waitFor, type MinioServer } from "@reports/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createTestSpool } from "../test-spool.fixture.ts";
import { createMinioStore } from "./minio-store.ts";

const minio = await startMinio();
const uploadBytes = 20 * 1024 * 1024;

describe.skipIf(minio === null)("the MinIO store behind a silent network", () => {
  const server = minio as MinioServer;
  afterAll(async () => minio?.stop());

  it("an opened file fails if the store is silent, but not while the reader is slow", async () => {
    // Longer than a busy machine lets a store's response wait.
    const limits = { connectTimeoutMs: 10_000, idleTimeoutMs: 10_000 };
    const { hostname, port } = new URL(server.endpoint);
    await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
    await using spool = await createTestSpool();
    const bucket = `silent-${randomBytes(4).toString("hex")}`;
    const direct = createMinioStore({ ...server, bucket });
    await direct.create();
    const file = await spool.write("reports/1/1-a.bin", uploadBytes);
    await direct.put({ ...file });
    const endpoint = `http://${proxy.host}:${proxy.port}`;
    const { body } = await createMinioStore({ ...server, endpoint, bucket, ...limits }).open(file.key);
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    // Until its buffer is full, the body still waits for the store.
    await waitFor(() => body.readableLength >= body.readableHighWaterMark, { what: "the body's buffer to be full" });
    // The reader pauses for longer than the store may be silent. This must not make the download fail.
    const idle = AbortSignal.timeout(limits.idleTimeoutMs + 1_000);
    await waitFor(() => idle.aborted, { what: "the reader to have slept" });
    expect(body.errored).toBeNull();
    await proxy.set({ kind: "black-hole" });
    const rest = (async () => {
      for (;;) if ((await chunks.next()).done === true) return;
    })();
    await expect(rest).rejects.toThrow(/silent/);
  });
});
