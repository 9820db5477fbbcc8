import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createFaultProxy, isFullTestRun, startMinio, storageFullFault, waitFor } from "@reports/testing";
import type { ProxyFault, FaultProxy, MinioServer } from "@reports/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FileNotFoundError, StoreUnavailableError, type FileStore } from "@reports/core/base";
import { createTestSpool, listKeys, readStoredBytes, type TestSpool } from "../test-spool.fixture.ts";
import type { StoreNotes } from "../store-notes.ts";
import { createMinioStore, type MinioStoreOptions } from "./minio-store.ts";

const minio = await startMinio();
const mib = 1024 * 1024;
const uploadBytes = 20 * mib;
/** Several times the bytes that buffers between the store and its reader hold. */
const openedBytes = isFullTestRun ? uploadBytes : 10 * mib;

describe.skipIf(minio === null)("the MinIO store behind a faulty network", () => {
  const server = minio as MinioServer;
  let proxy: FaultProxy;
  let spool: TestSpool;
  let store: FileStore & StoreNotes;
  /**
   * A store behind the proxy with short deadlines, for requests that get no response. On a busy machine, requests with a response may need longer.
   */
  let impatient: FileStore & StoreNotes;
  let direct: FileStore & StoreNotes;
  /** Options of a store behind the proxy. */
  let proxied: MinioStoreOptions;
  const newKey = (): string => `reports/${randomBytes(6).toString("hex")}/1-a.bin`;

  beforeAll(async () => {
    const { hostname, port } = new URL(server.endpoint);
    proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
    spool = await createTestSpool();
    const bucket = `faults-${randomBytes(4).toString("hex")}`;
    const keys = { accessKey: server.accessKey, secretKey: server.secretKey, bucket };
    direct = createMinioStore({ ...keys, endpoint: server.endpoint });
    proxied = { ...keys, endpoint: `http://${proxy.host}:${proxy.port}` };
    store = createMinioStore(proxied);
    impatient = createMinioStore({ ...proxied, connectTimeoutMs: 1_000, idleTimeoutMs: 1_000 });
    await direct.create();
  });
  afterEach(async () => proxy.set({ kind: "none" }));
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await spool?.[Symbol.asyncDispose]();
    await minio?.stop();
  });

  const unavailable: [string, ProxyFault][] = [
    ["refused by the server", { kind: "refuse" }],
    ["never answered", { kind: "black-hole" }],
    ["reset at the first byte", { kind: "reset", direction: "to-client", afterBytes: 0 }],
    ["answered with 500", { kind: "answer", status: 500 }],
    ["answered with 503", { kind: "answer", status: 503 }],
    ["answered with a page of HTML", { kind: "answer", status: 404, contentType: "text/html", body: "<html><br>no" }],
    ["answered that the store is full", storageFullFault],
  ];

  it.each(unavailable)("every method rejects with StoreUnavailableError if requests are %s", async (_, fault) => {
    const stored = await spool.write(newKey(), 1_000);
    await direct.put({ ...stored });
    const file = await spool.write(newKey(), 1_000);
    await proxy.set(fault);
    // Only a request without an answer needs a short deadline. Other requests must reject because of the fault, and not because of a deadline.
    const tried = fault.kind === "black-hole" ? impatient : store;
    const calls = {
      put: tried.put(file),
      open: tried.open(stored.key),
      remove: tried.remove(stored.key),
      list: listKeys(tried, "reports/"),
      abortStaleUploads: tried.abortStaleUploads("reports/", new Date()),
      check: tried.check(),
      // readNote must reject too, because null would mean that the store has no store ID.
      readNote: tried.readNote("store-marker"),
      writeNote: tried.writeNote("a-note", "text"),
      create: tried.create(),
    };
    const outcomes = Object.entries(calls).map(async ([name, call]): Promise<[string, unknown]> => [
      name,
      await call.then(
        () => "succeeded",
        (error: unknown) => error,
      ),
    ]);
    for (const [name, outcome] of await Promise.all(outcomes))
      expect([name, outcome]).toEqual([name, expect.any(StoreUnavailableError)]);
    // The connections are cut, so that requests which the proxy has held back do not arrive later.
    proxy.cut();
    await waitFor(() => proxy.openConnections === 0, { what: "all connections to be gone" });
    await proxy.set({ kind: "none" });
    expect(existsSync(file.path)).toBe(true);
    expect(await direct.stat(file.key)).toBeNull();
    await store.put(file);
    expect((await readStoredBytes(store, file.key)).equals(file.content)).toBe(true);
  });

  it("the error of a full store names neither the bucket nor keys", async () => {
    const file = await spool.write(newKey(), 1_000);
    await proxy.set(storageFullFault);
    const error = await store.put(file).catch((caught: unknown) => caught as Error);
    expect((error as Error).message).toMatch(/full/);
    expect((error as Error).message).not.toMatch(/faults-/);
  });

  const breaks: readonly [string, number][] = [
    ["the second part", 12 * mib],
    ["the first part", 3 * mib],
    ["the last part", 19 * mib],
  ];
  it.each(isFullTestRun ? breaks : breaks.slice(0, 1))(
    "a put leaves neither file nor upload if the connection breaks within %s",
    async (_, afterBytes) => {
      const file = await spool.write(newKey(), uploadBytes);
      await proxy.set({ kind: "reset", direction: "to-upstream", afterBytes });
      await expect(store.put(file)).rejects.toBeInstanceOf(StoreUnavailableError);
      await proxy.set({ kind: "none" });
      expect(existsSync(file.path)).toBe(true);
      expect(await direct.stat(file.key)).toBeNull();
      expect(await direct.abortStaleUploads(file.key, new Date(Date.now() + 60_000))).toBe(0);
    },
  );

  it("an abort during a put leaves neither file nor upload", async () => {
    const file = await spool.write(newKey(), uploadBytes);
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const before = proxy.bytesFromClients;
    await proxy.set({ kind: "throttle", bytesPerSecond: 40 * mib });
    const put = store.put({ ...file, signal: controller.signal });
    const caught = put.catch((error: unknown) => error);
    await waitFor(() => proxy.bytesFromClients - before > 10 * mib, { what: "ten MiB to be on their way" });
    controller.abort(reason);
    expect(await caught).toBe(reason);
    expect(await direct.stat(file.key)).toBeNull();
    expect(await direct.abortStaleUploads(file.key, new Date(Date.now() + 60_000))).toBe(0);
    expect(existsSync(file.path)).toBe(true);
  });

  it("abortStaleUploads ends old uploads with the prefix that a failed put left", async () => {
    const file = await spool.write(newKey(), uploadBytes);
    const before = proxy.bytesFromClients;
    await proxy.set({ kind: "throttle", bytesPerSecond: 40 * mib });
    const put = store.put(file).catch((error: unknown) => error);
    await waitFor(() => proxy.bytesFromClients - before > 10 * mib, { what: "ten MiB to be on their way" });
    await proxy.set({ kind: "refuse" });
    expect(await put).toBeInstanceOf(StoreUnavailableError);
    const future = new Date(Date.now() + 60_000);
    expect(await direct.abortStaleUploads("reports/", new Date(0))).toBe(0);
    expect(await direct.abortStaleUploads("other/", future)).toBe(0);
    expect(await direct.abortStaleUploads("reports/", future)).toBe(1);
    expect(await direct.abortStaleUploads("reports/", future)).toBe(0);
  });

  it("stat returns the SHA-256 of a file stored in one part, or null if in several", async () => {
    const small = await spool.write(newKey(), 1_000);
    expect(await direct.put({ ...small })).toMatchObject({ sha256: small.sha256 });
    expect(await direct.stat(small.key)).toMatchObject({ sha256: small.sha256 });
    expect(await direct.put(await spool.write(newKey(), uploadBytes))).toMatchObject({ sha256: null });
  });

  it.each(["NotImplemented", "InvalidArgument"])(
    "put stores a file without a checksum if the store refuses checksums with %s",
    async (code) => {
      const file = await spool.write(newKey(), 1_000);
      let puts = 0;
      await proxy.set({
        kind: "answer",
        status: code === "NotImplemented" ? 501 : 400,
        contentType: "application/xml",
        body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>A header is not known.</Message></Error>`,
        matches: ({ method }) => method === "PUT" && ++puts === 1,
      });
      expect(await store.put(file)).toMatchObject({ sizeBytes: 1_000, sha256: null });
      expect((await readStoredBytes(direct, file.key)).equals(file.content)).toBe(true);
    },
  );

  it("put removes its stored file if the store reports another size", async () => {
    const file = await spool.write(newKey(), 1_000);
    await proxy.set({ kind: "answer", status: 200, matches: ({ method }) => method === "HEAD" });
    await expect(store.put(file)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await direct.stat(file.key)).toBeNull();
  });

  const broken: [string, ProxyFault][] = [
    ["truncated", { kind: "truncate", afterBytes: 5 * mib }],
    ["reset", { kind: "reset", direction: "to-client", afterBytes: 5 * mib }],
  ];
  it.each(isFullTestRun ? broken : broken.slice(0, 1))(
    "an opened file fails with StoreUnavailableError if the response is %s",
    async (_, fault) => {
      const file = await spool.write(newKey(), openedBytes);
      await direct.put({ ...file });
      await proxy.set(fault);
      const { stat, body } = await store.open(file.key);
      expect(stat.sizeBytes).toBe(openedBytes);
      let receivedBytes = 0;
      const reading = (async () => {
        for await (const chunk of body) receivedBytes += (chunk as Buffer).length;
      })();
      await expect(reading).rejects.toBeInstanceOf(StoreUnavailableError);
      expect(receivedBytes).toBeLessThanOrEqual(5 * mib);
    },
  );

  it("over a slow connection, a missing file is still reported as missing", async () => {
    await proxy.set({ kind: "delay", ms: 20 });
    await expect(store.open(newKey())).rejects.toBeInstanceOf(FileNotFoundError);
    expect(await store.stat(newKey())).toBeNull();
  });

  it("the connection to the store closes when an opened file is destroyed", async () => {
    const file = await spool.write(newKey(), openedBytes);
    await direct.put({ ...file });
    // The other connections are closed, so that only the connection of the body is open.
    proxy.cut();
    await waitFor(() => proxy.openConnections === 0, { what: "all connections to be gone" });
    // A new store has no idle connections. Another store may not know yet that its own were closed.
    const { body } = await createMinioStore(proxied).open(file.key);
    expect(proxy.openConnections).toBe(1);
    body.destroy();
    await waitFor(() => proxy.openConnections === 0, { what: "the connection to be gone" });
  });
});
