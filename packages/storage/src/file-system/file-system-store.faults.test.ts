import { execFileSync } from "node:child_process";
import { lookup } from "node:dns/promises";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreUnavailableError } from "@reports/core/base";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createTestSpool, readStoredBytes } from "../test-spool.fixture.ts";
import { createFileSystemStore } from "./file-system-store.ts";

/** Creates a store in which opening a file hangs until `release` is called, as on a network file system without its server. */
async function storeWithHangingFiles(count: number) {
  const directory = await mkdtemp(join(tmpdir(), "reports-store-"));
  const keys = Array.from({ length: count }, (_, index) => `hanging-${index}`);
  const paths = keys.map((key) => join(directory, key));
  execFileSync("mkfifo", paths);
  const release = (): void => {
    // Opening the pipe for writing lets the waiting opens return. It happens in the main thread, so it needs no thread of the pool.
    for (const path of paths) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  };
  return {
    store: createFileSystemStore({ directory, readTimeoutMs: 200 }),
    /** A store of the same folder for files that a test needs. On a busy machine, a put can take longer than the short deadline. */
    patient: createFileSystemStore({ directory, readTimeoutMs: 60_000 }),
    keys,
    release,
    async [Symbol.asyncDispose]() {
      release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

test("while a file system hangs, pool threads stay free and further calls are refused", async () => {
  await using spool = await createTestSpool();
  const file = await spool.write("reports/1/a.bin", 3_000_000);
  await using under = await storeWithHangingFiles(12);
  const { store, keys } = under;
  await under.patient.put(file);
  const outcomes = Promise.allSettled([
    ...keys.slice(0, 6).map(async (key) => store.open(key)),
    ...keys.slice(6).map(async (key) => store.readNote(key)),
  ]);
  // A DNS lookup uses a thread of the same pool, so it proves that one is free.
  expect(await lookup("localhost")).toMatchObject({ family: expect.any(Number) });
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailableError) });
  for (const call of [
    async () => store.open(file.key),
    async () => store.stat(file.key),
    async () => store.readNote("note"),
    async () => store.check(),
    async () => store.list("")[Symbol.asyncIterator]().next(),
  ])
    await expect(call()).rejects.toThrow(/does not answer/);
  under.release();
  const stored = await waitFor(async () => readStoredBytes(store, file.key).catch(() => null), {
    what: "the store to continue",
  });
  expect(stored.equals(file.content)).toBe(true);
});

test("while a read of a file hangs, only further reads of that file are refused", async () => {
  await using spool = await createTestSpool();
  const file = await spool.write("reports/1/a.bin", 10);
  await using under = await storeWithHangingFiles(1);
  const [hanging = ""] = under.keys;
  await under.patient.put(file);
  for (let attempt = 0; attempt < 6; attempt += 1)
    await expect(under.store.readNote(hanging)).rejects.toBeInstanceOf(StoreUnavailableError);
  // On a busy machine, the read of the file that does not hang may miss its deadline too, so it is repeated.
  const stored = await waitFor(async () => readStoredBytes(under.store, file.key).catch(() => null), {
    what: "the other file being read",
  });
  expect(stored.equals(file.content)).toBe(true);
});

test("an abort ends the wait for a hanging open, and the file is closed once it opens", async () => {
  await using under = await storeWithHangingFiles(1);
  const [hanging = ""] = under.keys;
  const leaving = new AbortController();
  const opening = under.store.open(hanging, { signal: leaving.signal });
  leaving.abort(new Error("left"));
  await expect(opening).rejects.toThrow("left");
});
