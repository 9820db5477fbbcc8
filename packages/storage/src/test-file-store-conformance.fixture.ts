import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, truncate, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullTestRun, waitFor } from "@reports/testing";
import { FileNotFoundError, type FileStore } from "@reports/core/base";
import { createTestSpool, listKeys, readStoredBytes, type TestSpool } from "./test-spool.fixture.ts";
import { expectNothingCreated, testStoreNotesConformance } from "./test-store-notes-conformance.fixture.ts";
import type { StoreNotes } from "./store-notes.ts";

/** A store under test. Its folder or bucket does not exist yet. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: FileStore & StoreNotes;
}

export function testFileStoreConformance(
  name: string,
  createStore: () => Promise<StoreUnderTest>,
  { skip = false, partSizeBytes = 8 * 1024 * 1024 }: { readonly skip?: boolean; readonly partSizeBytes?: number } = {},
): void {
  describe.skipIf(skip)(`${name} as a FileStore`, () => {
    let under: StoreUnderTest;
    let store: FileStore & StoreNotes;
    let spool: TestSpool;
    const newPrefix = (): string => `conformance/${randomBytes(8).toString("hex")}`;

    beforeAll(async () => {
      under = await createStore();
      store = under.store;
      spool = await createTestSpool();
      await expectNothingCreated(store);
      await store.create();
    });
    afterAll(async () => {
      await spool?.[Symbol.asyncDispose]();
      await under?.[Symbol.asyncDispose]();
    });

    const sizes: readonly [string, number][] = [
      ["an empty file", 0],
      ["one byte", 1],
      ["a part to the byte", partSizeBytes],
      ["a part and a byte", partSizeBytes + 1],
      ["several parts", 3 * partSizeBytes + 12_345],
    ];
    // Outside of CI, a file of a part and a byte shows where a part ends.
    const tried = sizes.filter(([, bytes]) => isFullTestRun || bytes !== partSizeBytes);
    it.each(tried)("a store stores and returns the bytes of %s, and removes the local file", async (_, sizeBytes) => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, sizeBytes);
      await store.put(file);
      expect(existsSync(file.path)).toBe(false);
      const { stat, body } = await store.open(file.key);
      expect(stat).toMatchObject({ key: file.key, sizeBytes });
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).equals(file.content)).toBe(true);
    });

    it("a store's stat returns size and time of a file, and null for a missing one", async () => {
      const prefix = newPrefix();
      const file = await spool.write(`${prefix}/1-a.csv`, 1_234);
      const beforeMs = Date.now();
      await store.put(file);
      const stat = await store.stat(file.key);
      expect(stat).toMatchObject({ key: file.key, sizeBytes: 1_234 });
      expect(Math.abs((stat?.lastModified.getTime() ?? 0) - beforeMs)).toBeLessThan(60_000);
      expect(await store.stat(`${prefix}/other.csv`)).toBeNull();
    });

    it("a replaced file has a new version, and all methods return the same version", async () => {
      const prefix = newPrefix();
      const first = await spool.write(`${prefix}/1-a.csv`, 1_234);
      const stored = await store.put(first);
      expect(stored.version).not.toBe("");
      const { stat, body } = await store.open(first.key, { range: { start: 1, end: 2 } });
      body.destroy();
      const [listed] = await Array.fromAsync(store.list(`${prefix}/`));
      const seen = await store.stat(first.key);
      expect([stat.version, listed?.version, seen?.version]).toEqual(Array(3).fill(stored.version));
      // A folder uses the modification time as the version. A kernel may count that time in steps of 10 ms, so the test waits for 20 ms.
      await waitFor(() => Date.now() > stored.lastModified.getTime() + 20, { what: "the clock to move on" });
      const other = await store.put(await spool.write(first.key, 1_234));
      expect(other.version).not.toBe(stored.version);
    });

    it("the SHA-256 that a store returns is either null or the hash of the file", async () => {
      for (const sizeBytes of [0, 1_234, partSizeBytes + 1]) {
        const file = await spool.write(`${newPrefix()}/1-a.csv`, sizeBytes);
        const stored = await store.put(file);
        expect([null, file.sha256]).toContain(stored.sha256);
        expect((await store.stat(file.key))?.sha256).toBe(stored.sha256);
      }
    });

    it.each([
      ["the first byte", 0, 0],
      ["the middle", 1_000, 2_999],
      ["the last byte", 9_999, 9_999],
      ["all of it", 0, 9_999],
    ])("a store's open returns the bytes of a range: %s", async (_, start, end) => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, 10_000);
      await store.put(file);
      const { stat, body } = await store.open(file.key, { range: { start, end } });
      expect(stat.sizeBytes).toBe(10_000);
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).equals(file.content.subarray(start, end + 1))).toBe(true);
    });

    it.each([
      ["after the end", 100, 100],
      ["reaching past the end", 50, 100],
      ["backwards", 5, 4],
      ["negative", -1, 4],
      ["a fraction", 0.5, 4],
    ])("a store's open refuses a range that is %s", async (_, start, end) => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, 100);
      await store.put(file);
      await expect(store.open(file.key, { range: { start, end } })).rejects.toBeInstanceOf(RangeError);
    });

    it("open of a missing file rejects with FileNotFoundError", async () => {
      const key = `${newPrefix()}/none.pdf`;
      await expect(store.open(key)).rejects.toBeInstanceOf(FileNotFoundError);
      await expect(store.open(key, { range: { start: 0, end: 1 } })).rejects.toBeInstanceOf(FileNotFoundError);
    });

    it("open and stat of a key that is a folder find no file", async () => {
      const prefix = newPrefix();
      await store.put(await spool.write(`${prefix}/folder/1-a.bin`, 10));
      await expect(store.open(`${prefix}/folder`)).rejects.toBeInstanceOf(FileNotFoundError);
      expect(await store.stat(`${prefix}/folder`)).toBeNull();
    });

    it("a store's remove removes a file, and succeeds if the file is already gone", async () => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, 10);
      await store.put(file);
      await store.remove(file.key);
      await store.remove(file.key);
      expect(await store.stat(file.key)).toBeNull();
      await expect(store.open(file.key)).rejects.toBeInstanceOf(FileNotFoundError);
    });

    it("list returns exactly the files whose key begins with the prefix", async () => {
      const prefix = newPrefix();
      const keys = [`${prefix}/a/1-x.csv`, `${prefix}/a/2-x.csv`, `${prefix}/ab/1-x.csv`, `${prefix}/b/1-x.csv`];
      for (const key of keys) await store.put(await spool.write(key, 3));
      expect(await listKeys(store, `${prefix}/`)).toEqual(keys);
      expect(await listKeys(store, `${prefix}/a`)).toEqual(keys.slice(0, 3));
      expect(await listKeys(store, `${prefix}/a/`)).toEqual(keys.slice(0, 2));
      expect(await listKeys(store, `${prefix}/a/2`)).toEqual([keys[1]]);
      expect(await listKeys(store, `${prefix}/none/`)).toEqual([]);
      expect(await listKeys(store, "")).toEqual(expect.arrayContaining(keys));
    });

    it("list of a store works while files are being removed", async () => {
      const prefix = newPrefix();
      for (let index = 0; index < 20; index += 1) await store.put(await spool.write(`${prefix}/${index}/1-a.csv`, 3));
      for await (const file of store.list(`${prefix}/`)) await store.remove(file.key);
      expect(await listKeys(store, `${prefix}/`)).toEqual([]);
    });

    it.each([
      "",
      "/a",
      "a/",
      "a//b",
      ".",
      "..",
      "a/../b",
      "../a",
      "a/./b",
      "a b",
      "a\\b",
      "a\0b",
      "ä",
      "~a",
      "a".repeat(600),
    ])("every method of a store refuses the key %j", async (key) => {
      const file = await spool.write("x", 1);
      await expect(store.put({ ...file, key })).rejects.toBeInstanceOf(RangeError);
      await expect(store.open(key)).rejects.toBeInstanceOf(RangeError);
      await expect(store.stat(key)).rejects.toBeInstanceOf(RangeError);
      await expect(store.remove(key)).rejects.toBeInstanceOf(RangeError);
      expect(existsSync(file.path)).toBe(true);
    });

    it.each(["/", "../", "a/../", "a//", "a b"])("a store refuses to list keys with the prefix %j", async (prefix) => {
      await expect(listKeys(store, prefix)).rejects.toBeInstanceOf(RangeError);
      await expect(store.abortStaleUploads(prefix, new Date())).rejects.toBeInstanceOf(RangeError);
    });

    it.each([
      ["shorter than announced", async (path: string) => truncate(path, 100)],
      ["longer than announced", async (path: string) => writeFile(path, "more", { flag: "a" })],
      ["missing", async (path: string) => rm(path)],
    ])("a store's put stores nothing if the local file is %s", async (_, change) => {
      const prefix = newPrefix();
      const file = await spool.write(`${prefix}/1-a.bin`, partSizeBytes + 1);
      await change(file.path);
      await expect(store.put(file)).rejects.toThrow();
      expect(await listKeys(store, `${prefix}/`)).toEqual([]);
      expect(await store.stat(file.key)).toBeNull();
    });

    it("an aborted put rejects with the reason of the signal and stores nothing", async () => {
      const prefix = newPrefix();
      const file = await spool.write(`${prefix}/1-a.bin`, 100);
      const reason = new Error("no longer wanted");
      await expect(store.put({ ...file, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(await listKeys(store, `${prefix}/`)).toEqual([]);
    });

    it("every method but put rejects with the reason of an aborted signal", async () => {
      const reason = new Error("no longer wanted");
      const signal = AbortSignal.abort(reason);
      await expect(store.open("a/b", { signal })).rejects.toBe(reason);
      await expect(store.stat("a/b", { signal })).rejects.toBe(reason);
      await expect(store.remove("a/b", { signal })).rejects.toBe(reason);
      await expect(store.check({ signal })).rejects.toBe(reason);
      await expect(store.list("a", { signal })[Symbol.asyncIterator]().next()).rejects.toBe(reason);
      await expect(store.abortStaleUploads("a", new Date(), { signal })).rejects.toBe(reason);
    });

    it("an opened file fails with the signal's reason if that aborts during the read", async () => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, 4 * 1024 * 1024);
      await store.put(file);
      const controller = new AbortController();
      const { body } = await store.open(file.key, { signal: controller.signal });
      const reason = new Error("the client left");
      const reading = (async () => {
        for await (const chunk of body) if (chunk !== null) controller.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
    });

    it("an abort destroys an opened file without a listener and does not end the process", async () => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, 100);
      await store.put(file);
      const controller = new AbortController();
      const { body } = await store.open(file.key, { signal: controller.signal });
      // The test adds no listener for `error`. If the store emitted an error here, the process would end and the test would fail.
      const closed = new Promise((resolve) => body.once("close", resolve));
      controller.abort(new Error("the client left"));
      await closed;
      expect(body.destroyed).toBe(true);
    });

    it("opened files that are half read can be destroyed without a leak", async () => {
      const file = await spool.write(`${newPrefix()}/1-a.bin`, 3 * 1024 * 1024);
      await store.put(file);
      for (let round = 0; round < (isFullTestRun ? 100 : 5); round += 1) {
        const { body } = await store.open(file.key);
        for await (const chunk of body) if (chunk !== null) break;
        expect(body.destroyed).toBe(true);
      }
      expect((await readStoredBytes(store, file.key)).equals(file.content)).toBe(true);
    });

    it("a store's put and remove work concurrently in one folder", async () => {
      const prefix = newPrefix();
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const file = await spool.write(`${prefix}/shared/${index}.bin`, 100);
          await store.put(file);
          await store.remove(file.key);
        }),
      );
      expect(await listKeys(store, `${prefix}/`)).toEqual([]);
    });

    it("abortStaleUploads of a store finds nothing after finished puts", async () => {
      const prefix = newPrefix();
      await store.put(await spool.write(`${prefix}/1-a.bin`, partSizeBytes + 1));
      expect(await store.abortStaleUploads(`${prefix}/`, new Date(Date.now() + 60_000))).toBe(0);
      expect(await listKeys(store, `${prefix}/`)).toHaveLength(1);
    });

    testStoreNotesConformance(
      () => store,
      () => spool,
    );
  });
}
