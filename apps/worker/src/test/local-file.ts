import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PutFile } from "@reports/core/base";

/** Writes a local file that can be put into a store under any key. Its SHA-256 is a placeholder. */
export async function writeTestPutFile(content: string | Buffer): Promise<Omit<PutFile, "key">> {
  const bytes = Buffer.from(content);
  const path = join(tmpdir(), randomUUID());
  await writeFile(path, bytes);
  return { path, sizeBytes: bytes.length, sha256: "0".repeat(64), contentType: "text/csv" };
}
