import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFullTestRun } from "@reports/testing";
import { describe, expect, it } from "vitest";
import { StoreUnavailableError } from "@reports/core/base";
import { testFileStoreConformance } from "../test-file-store-conformance.fixture.ts";
import { assertStoreWritable } from "../store-id/assert-store-writable.ts";
import { createTestSpool, listKeys, readStoredBytes } from "../test-spool.fixture.ts";
import { withKeyPrefix } from "../with-key-prefix.ts";
import { createFileSystemStore } from "./file-system-store.ts";

/** Longer than a busy machine takes for a read. No test of this file is about the deadline of reads. */
const readTimeoutMs = 60_000;

async function temporaryStore(parent = tmpdir()) {
  const directory = await mkdtemp(join(parent, "reports-store-"));
  return {
    directory,
    store: createFileSystemStore({ directory: join(directory, "files"), readTimeoutMs }),
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const otherFileSystem = "/dev/shm";

/** Outside of CI, parts are as large as the buffer with which files are copied and read. */
const sizes = isFullTestRun ? {} : { partSizeBytes: 1024 * 1024 };

testFileStoreConformance("the file system", temporaryStore, sizes);
// The local files are on another file system than the store, so every put copies. Outside of CI, the part below is there.
testFileStoreConformance("another file system", async () => temporaryStore(otherFileSystem), {
  skip: !isFullTestRun,
});
testFileStoreConformance(
  isFullTestRun ? "a part of the file system" : "a part of another file system",
  async () => {
    const { store, ...under } = await temporaryStore(isFullTestRun ? tmpdir() : otherFileSystem);
    return { ...under, store: withKeyPrefix(store, "team-a/production") };
  },
  sizes,
);

describe("the file system store", () => {
  it.each([
    ["renamed on the same file system", tmpdir()],
    ["copied from another file system", otherFileSystem],
  ])("a stored file that was %s is readable by the group", async (_, parent) => {
    await using under = await temporaryStore(parent);
    await using spool = await createTestSpool();
    const file = await spool.write("reports/1/a.csv", 16);
    await chmod(file.path, 0o600);
    await under.store.put(file);
    expect((await stat(join(under.directory, "files", "reports/1/a.csv"))).mode & 0o777).toBe(0o640);
  });

  it("list omits unfinished files, and abortStaleUploads removes old ones", async () => {
    await using under = await temporaryStore();
    const folder = join(under.directory, "files", "reports", "1");
    await mkdir(folder, { recursive: true });
    for (const name of ["a.csv~0011", "b.csv~0022"]) await writeFile(join(folder, name), "half");
    await utimes(join(folder, "a.csv~0011"), new Date(1_000), new Date(1_000));

    expect(await listKeys(under.store, "")).toEqual([]);
    expect(await under.store.abortStaleUploads("other/", new Date())).toBe(0);
    expect(await under.store.abortStaleUploads("reports/1/a", new Date(2_000))).toBe(1);
    expect(await readdir(folder)).toEqual(["b.csv~0022"]);
  });

  it("reading a small file uses no more memory than the file has bytes", async () => {
    await using under = await temporaryStore();
    await using spool = await createTestSpool();
    const file = await spool.write("reports/1/a.bin", 10_000);
    await under.store.put(file);
    const { body } = await under.store.open(file.key);
    for await (const chunk of body) expect((chunk as Buffer).buffer.byteLength).toBe(10_000);
  });

  it("readNote with `known` returns a note's current text after any kind of change", async () => {
    await using under = await temporaryStore();
    const { store, directory } = under;
    const folder = join(directory, "files");
    const another = createFileSystemStore({ directory: folder, readTimeoutMs });
    const read = async (): Promise<string | null> => store.readNote("note", { known: true });
    expect(await read()).toBeNull();
    await store.create();
    for (const text of ["one", "two"]) {
      await another.writeNote("note", text);
      expect([await read(), await read(), await store.readNote("note")]).toEqual([text, text, text]);
    }
    const { mtime } = await stat(join(folder, "note"));
    await writeFile(join(folder, "note"), "six");
    await utimes(join(folder, "note"), mtime, mtime);
    expect(await read()).toBe("six");
    await rename(folder, join(directory, "away"));
    expect(await read()).toBeNull();
    await mkdir(folder);
    await another.writeNote("note", "ten");
    expect(await read()).toBe("ten");
  });

  it("put removes its copy and rejects if the bytes differ from the announced SHA-256", async () => {
    await using under = await temporaryStore(otherFileSystem);
    await using spool = await createTestSpool();
    const file = await spool.write("reports/1/1-a.bin", 100);
    await writeFile(file.path, Buffer.alloc(100));
    await expect(under.store.put(file)).rejects.toThrow(/SHA-256 differs/);
    expect(await readdir(join(under.directory, "files", "reports", "1"))).toEqual([]);
  });

  it("an aborted put leaves nothing in the store and keeps the local file", async () => {
    await using under = await temporaryStore(otherFileSystem);
    await using spool = await createTestSpool();
    const file = await spool.write("reports/1/1-a.bin", 32 * 1024 * 1024);
    const controller = new AbortController();
    const put = under.store.put({ ...file, signal: controller.signal });
    const reason = new Error("cancelled");
    setImmediate(() => controller.abort(reason));
    await expect(put).rejects.toBe(reason);
    expect(await listKeys(under.store, "")).toEqual([]);
    expect(await under.store.abortStaleUploads("", new Date(Date.now() + 60_000))).toBe(0);
    expect((await readdir(spool.directory)).length).toBe(1);
  });

  it("remove also removes folders of the file that become empty, and no others", async () => {
    await using under = await temporaryStore();
    await using spool = await createTestSpool();
    await under.store.put(await spool.write("reports/1/a.bin", 1));
    await under.store.put(await spool.write("reports/2/a.bin", 1));
    await under.store.remove("reports/1/a.bin");
    expect(await readdir(join(under.directory, "files", "reports"))).toEqual(["2"]);
    await under.store.remove("reports/2/a.bin");
    expect(await readdir(join(under.directory, "files"))).toEqual([]);
  });

  it("a store is unavailable if its folder's path leads to a file", async () => {
    await using under = await temporaryStore();
    await writeFile(join(under.directory, "files"), "a file in the folder's place");
    await expect(under.store.check()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(assertStoreWritable(under.store)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await under.store.readNote("store-marker")).toBeNull();
  });

  it("check, list and writeNote of a store do not create its missing folder", async () => {
    await using under = await temporaryStore();
    await expect(under.store.check()).rejects.toThrow(/not there/);
    await expect(under.store.writeNote("a", "text")).rejects.toThrow(/not there/);
    expect(await listKeys(under.store, "")).toEqual([]);
    expect(await readdir(under.directory)).toEqual([]);
  });

  it("list skips folders that no key can name, such as lost+found", async () => {
    await using under = await temporaryStore();
    await mkdir(join(under.directory, "files", "lost+found"), { recursive: true });
    await writeFile(join(under.directory, "files", "lost+found", "piece"), "found");
    expect(await listKeys(under.store, "")).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)(
    "assertStoreWritable rejects with the system's error if the folder is read-only",
    async () => {
      await using under = await temporaryStore();
      await under.store.create();
      await chmod(join(under.directory, "files"), 0o500);
      await expect(assertStoreWritable(under.store)).rejects.toThrow(/EACCES/);
    },
  );

  it("list does not follow symbolic links", async () => {
    await using under = await temporaryStore();
    await under.store.create();
    await symlink("/etc", join(under.directory, "files", "etc"));
    expect(await listKeys(under.store, "")).toEqual([]);
  });

  it("a new store on the same folder returns the stored files", async () => {
    await using under = await temporaryStore();
    await using spool = await createTestSpool();
    const file = await spool.write("reports/1/1-a.bin", 1_000);
    await under.store.put(file);
    const again = createFileSystemStore({ directory: join(under.directory, "files"), readTimeoutMs });
    expect((await readStoredBytes(again, file.key)).equals(file.content)).toBe(true);
  });
});
