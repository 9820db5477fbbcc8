import { expect, test } from "vitest";
import type { FileStat } from "../../base/file-store.ts";
import { compareFileSizes } from "./verify-files.ts";

test("compareFileSizes compares every file, and returns at most 1,000 mismatches", async () => {
  const keys = Array.from({ length: 1_700 }, (_, number) => `reports/${number}/1-a.csv`);
  async function* list(): AsyncGenerator<FileStat> {
    for (const key of keys) yield { key, sizeBytes: 2, lastModified: new Date(0), version: "1", sha256: null };
  }
  const named = async (asked: readonly string[]) =>
    asked.map((storageKey) => ({ storageKey, reportId: storageKey, sizeBytes: 1, sha256: "a", storedVersion: null }));
  const { compared, mismatches } = await compareFileSizes(
    { files: { list }, published: { named } },
    new AbortController().signal,
  );
  expect(compared).toBe(1_700);
  expect(mismatches.map(({ file }) => file.storageKey)).toEqual(keys.slice(0, 1_000));
});
