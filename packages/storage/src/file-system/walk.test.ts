import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLimitedFileCalls } from "./limited-file-calls.ts";
import { walkFiles, type WalkOptions } from "./walk.ts";

async function folderWith(keys: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), "reports-walk-"));
  const write = async (key: string): Promise<void> => {
    await mkdir(join(directory, dirname(key)), { recursive: true });
    await writeFile(join(directory, key), "x");
  };
  await Promise.all(keys.map(write));
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 60_000 });
  return {
    directory,
    async keys(prefix: string, options: Partial<WalkOptions> = {}): Promise<readonly string[]> {
      const files = await Array.fromAsync(walkFiles(calls, directory, prefix, { finished: true, ...options }));
      return files.map(({ key }) => key);
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const keys = [
  ...Array.from({ length: 40 }, (_, number) => `reports/${String(number).padStart(2, "0")}/1-a.csv`),
  ...Array.from({ length: 100 }, (_, number) => `reports/07/${String(number).padStart(3, "0")}-b.csv`),
  "reports/08-and-more/1-a.csv",
  "reports/08/deep/er/1-a.csv",
  "reports/08.txt",
  "reports/readme",
].toSorted();

/** Files that no test changes. */
let usual: Awaited<ReturnType<typeof folderWith>>;
beforeAll(async () => {
  usual = await folderWith(keys);
});
afterAll(async () => usual[Symbol.asyncDispose]());

test.each(isFullTestRun ? [1, 2, 7, 100_000] : [2, 100_000])(
  "a walk of the store lists each file once and in order with %i names in memory",
  async (maxNames) => {
    expect(await usual.keys("reports/", { maxNames })).toEqual(keys);
    expect(await usual.keys("", { maxNames })).toEqual(keys);
    expect(await usual.keys("reports/0", { maxNames })).toEqual(keys.filter((key) => key.startsWith("reports/0")));
  },
);

const many = Array.from({ length: 600 }, (_, number) => `reports/many-${String(number).padStart(3, "0")}/1-a.csv`);
let manyFolders: Promise<typeof usual> | undefined;
const openMany = async () => (manyFolders ??= folderWith([...keys, ...many]));
afterAll(async () => (await manyFolders)?.[Symbol.asyncDispose]());

test("a walk of several hundred folders lists each file once and in order", async () => {
  const under = await openMany();
  expect(await under.keys("reports/")).toEqual([...keys, ...many].toSorted());
  expect(await under.keys("reports/many-5")).toEqual(many.slice(500));
  expect(await under.keys("reports/", { finished: false })).toEqual([]);
});

test("a walk of the store lists either finished or unfinished files", async () => {
  const unfinished = ["reports/00/1-a.csv~00ff", "reports/39/1-a.csv~00ee"];
  await using under = await folderWith([...keys, ...unfinished]);
  expect(await under.keys("reports/")).toEqual(keys);
  expect(await under.keys("reports/", { finished: false })).toEqual(unfinished);
});

test("an abort ends a walk of the store between two files with the signal's reason", async () => {
  const leaving = new AbortController();
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 60_000 });
  const reading = (async () => {
    const files = walkFiles(calls, usual.directory, "reports/", {
      finished: true,
      signal: leaving.signal,
      maxNames: 1,
    });
    for await (const { key } of files) if (key === keys[20]) leaving.abort(new Error("left"));
  })();
  await expect(reading).rejects.toThrow("left");
});

test("a walk of the store skips a folder that is removed meanwhile", async () => {
  await using under = await folderWith(keys);
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 60_000 });
  const seen: string[] = [];
  for await (const { key } of walkFiles(calls, under.directory, "reports/", { finished: true, maxNames: 1 })) {
    if (seen.length === 0) await rm(join(under.directory, "reports/05"), { recursive: true });
    seen.push(key);
  }
  expect(seen).toEqual(keys.filter((key) => !key.startsWith("reports/05/")));
});

test.skipIf(process.platform !== "linux")("a walk that is left early ends its thread", async () => {
  const under = await openMany();
  const countThreads = (): number => readdirSync("/proc/self/task").length;
  let during = 0;
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 60_000 });
  for await (const { key } of walkFiles(calls, under.directory, "reports/", { finished: true })) {
    if (key !== many[400]) continue;
    during = countThreads();
    break;
  }
  await expect.poll(countThreads).toBeLessThan(during);
});
