import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { FileStore, PutFile } from "@reports/core/base";

export interface TestSpool extends AsyncDisposable {
  readonly directory: string;
  /** Writes a local file with this content, or with that many random bytes. Returns its description for `put`. */
  write(key: string, content: Buffer | number): Promise<PutFile & { readonly content: Buffer }>;
}

export async function createTestSpool(): Promise<TestSpool> {
  const directory = await mkdtemp(join(tmpdir(), "reports-spool-"));
  return {
    directory,
    async write(key, given) {
      const content = typeof given === "number" ? randomBytes(given) : given;
      const path = join(directory, randomBytes(8).toString("hex"));
      await writeFile(path, content);
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { key, path, sizeBytes: content.length, sha256, contentType: "application/octet-stream", content };
    },
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function readStoredBytes(
  store: FileStore,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const { body } = await store.open(key, range === undefined ? {} : { range });
  return buffer(body);
}

export async function listKeys(store: FileStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const file of store.list(prefix)) keys.push(file.key);
  return keys.toSorted();
}
