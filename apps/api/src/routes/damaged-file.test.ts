import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileStore } from "@reports/core/base";
import { createFileVerificationStore } from "@reports/db";
import { createFileStore, type StoreNotes } from "@reports/storage";
import { isFullTestRun, startMinio, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

const blockBytes = 256 * 1024;
const folder = await mkdtemp(join(tmpdir(), "damaged-file-"));
// The file stores have the same conformance tests, which every run has for MinIO too. So only CI repeats these tests with MinIO.
const minio = isFullTestRun ? await startMinio() : null;
afterAll(async () => {
  await minio?.stop();
  await rm(folder, { recursive: true });
});

const stores: Record<string, () => Promise<FileStore & StoreNotes>> = {
  "a folder": async () => createFileStore({ directory: join(folder, "files") }),
};
// startMinio returns null if MinIO is not installed on the machine. In CI, it throws instead.
if (minio !== null) {
  stores["MinIO"] = async () => createFileStore({ ...minio, bucket: `damaged-${randomBytes(4).toString("hex")}` });
}

describe.each(Object.entries(stores))("a download from %s", (_name, openStore) => {
  let api: ApiUnderTest;
  let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;
  let count = 0;

  beforeAll(async () => {
    const store = await openStore();
    await store.create();
    api = await startApiUnderTest({ store });
    agent = await api.as(builtInReportAuthorities);
  });
  afterAll(async () => api?.[Symbol.asyncDispose]());

  async function published(bytes: Buffer) {
    count += 1;
    const { body } = await agent
      .get("/v1/report")
      .query({ reportType: "PROXY", format: "csv", title: `Report ${count}` })
      .expect(202);
    const { id, file } = await api.succeed(body.id as string, bytes);
    return { id, key: file!.storageKey, path: `/v1/reports/${id}/files/${file!.id}`, bytes };
  }

  async function replace(key: string, bytes: Buffer): Promise<void> {
    const path = join(folder, randomBytes(8).toString("hex"));
    await writeFile(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await api.store.put({ key, path, sizeBytes: bytes.length, sha256, contentType: "text/csv" });
  }

  const isNoted = async (id: string): Promise<boolean> =>
    (await api.sql`select from file_suspicions where report_id = ${id}`).length === 1;

  /** Downloads over a plain connection, because supertest hides that a response ended too early. */
  async function receive(path: string): Promise<{ status: number; received: Buffer; complete: boolean }> {
    const server = createServer(api.listener).listen(0, "127.0.0.1");
    await waitFor(() => server.listening, { what: "the server to listen" });
    try {
      const headers = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
      const { port } = server.address() as AddressInfo;
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest({ port, host: "127.0.0.1", path, headers }, resolve).on("error", reject).end();
      });
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
      } catch {}
      return { status: response.statusCode!, received: Buffer.concat(chunks), complete: response.complete };
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  test.each([0, 1, blockBytes, blockBytes + 1, 1024 * 1024, 9 * 1024 * 1024 + 5])(
    "a file of %i bytes is downloaded unchanged, whole and in part",
    async (sizeBytes) => {
      const file = await published(randomBytes(sizeBytes));
      const { status, received, complete } = await receive(file.path);
      expect({ status, complete, equal: received.equals(file.bytes) }).toEqual({
        status: 200,
        complete: true,
        equal: true,
      });
      if (sizeBytes < 2) return;
      const part = await agent.get(file.path).set("Range", "bytes=1-").responseType("blob").expect(206);
      expect(file.bytes.subarray(1).equals(part.body as Buffer)).toBe(true);
      expect(await isNoted(file.id)).toBe(false);
    },
  );

  test.each([blockBytes + 1, 3 * 1024 * 1024, 9 * 1024 * 1024])(
    "the download of a replaced file of %i bytes breaks off before the last block",
    async (sizeBytes) => {
      const file = await published(randomBytes(sizeBytes));
      const other = Buffer.from(file.bytes);
      other[0]! ^= 1;
      await replace(file.key, other);
      const { status, received, complete } = await receive(file.path);
      expect({ status, complete }).toEqual({ status: 200, complete: false });
      expect(received.length).toBeLessThan(sizeBytes);
      await waitFor(async () => isNoted(file.id), { what: "the suspicion to be noted" });
    },
  );

  test("a small replaced file gets a 503, is logged and counted, and will be checked", async () => {
    const file = await published(Buffer.from("name\r\nedge-1\r\n"));
    await replace(file.key, Buffer.from("name\r\nedge-2\r\n"));
    const response = await agent.get(file.path);
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ code: "report-file-unverified" });
    expect(response.headers["retry-after"]).toBe("60");
    expect(response.headers["repr-digest"]).toBeUndefined();
    await waitFor(async () => isNoted(file.id), { what: "the suspicion to be noted" });
    expect(api.lines).toContainEqual(expect.objectContaining({ reportId: file.id, property: "digest" }));
    expect((await api.metrics.render()).body).toMatch(/reports_file_mismatches_seen_total\{property="digest"\} [1-9]/);
    // HEAD and conditional requests do not read the bytes of the file, so they do not notice a change that keeps its size.
    const tag = (await agent.head(file.path).expect(200)).headers["etag"]!;
    await agent.get(file.path).set("If-None-Match", tag).expect(304);
    await agent.get(file.path).set("If-Match", '"x"').expect(412);
  });

  test.each([
    ["shortened", (bytes: Buffer) => bytes.subarray(0, -7)],
    ["lengthened", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("more")])],
    ["emptied", () => Buffer.alloc(0)],
  ])("the download of a %s file gets a 503 for GET, HEAD and a range", async (_, change) => {
    const file = await published(randomBytes(1000));
    await replace(file.key, change(file.bytes));
    expect((await agent.get(file.path)).body).toMatchObject({ status: 503, code: "report-file-unverified" });
    expect((await agent.head(file.path)).status).toBe(503);
    expect((await agent.get(file.path).set("Range", "bytes=998-999")).status).toBe(503);
    await waitFor(async () => isNoted(file.id), { what: "the suspicion to be noted" });
  });

  test("a range of a file that was replaced in the store gets a 503", async () => {
    const file = await published(randomBytes(1000));
    const { headers } = await agent.get(file.path).set("Range", "bytes=0-499").expect(206);
    await replace(file.key, randomBytes(1000));
    const rest = await agent.get(file.path).set("Range", "bytes=500-").set("If-Range", headers["etag"]!);
    expect(rest.body).toMatchObject({ status: 503, code: "report-file-unverified" });
    await waitFor(async () => isNoted(file.id), { what: "the suspicion to be noted" });
  });

  test("a file that a worker found damaged gets a 410, and the last event has the cause", async () => {
    const file = await published(randomBytes(1000));
    const verification = createFileVerificationStore(api.database);
    const [stored] = await verification.following(file.key.slice(0, -1), 1);
    expect(stored).toMatchObject({ reportId: file.id, storageKey: file.key });
    expect(await verification.markDamaged(stored!, { property: "digest", expected: "a", found: "b" })).toBe(true);
    expect((await agent.get(`/v1/report/download?reportType=PROXY&id=${file.id}`)).body).toMatchObject({
      status: 410,
      code: "report-file-damaged",
    });
    expect((await agent.get(`/v1/reports/${file.id}`)).body).toMatchObject({ status: "EXPIRED", file: null });
    const { body: events } = await agent.get(`/v1/reports/${file.id}/events`).set("Accept", "application/json");
    expect(events.at(-1)).toMatchObject({ from: "SUCCEEDED", to: "EXPIRED", because: "FILE_DAMAGED" });
    expect(events.slice(0, -1).map(({ because }: { because: unknown }) => because)).toEqual([null, null, null]);
    expect(await api.store.stat(file.key)).not.toBeNull();
  });
});
