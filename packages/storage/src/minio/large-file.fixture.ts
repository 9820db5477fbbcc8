import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createMinioStore } from "./minio-store.ts";

/**
 * This program puts a large file, reads it back, and prints `{ growthBytes, sha256, readSha256 }`. `growthBytes` is the growth of the process's
 * peak memory from before the put until after the read.
 */
const sizeBytes = Number(process.argv[2]);
const [endpoint = "", accessKey = "", secretKey = "", bucket = ""] = process.argv.slice(3);
const store = createMinioStore({ endpoint, accessKey, secretKey, bucket });
await store.create();

const directory = await mkdtemp(join(tmpdir(), "reports-large-"));
try {
  const path = join(directory, "large.bin");
  const hash = createHash("sha256");
  const step = Buffer.alloc(1024 * 1024);
  await pipeline(
    Readable.from(
      (function* () {
        for (let written = 0; written < sizeBytes; written += step.length) {
          step.writeUInt32LE(written / step.length);
          const chunk = Buffer.from(step.subarray(0, Math.min(step.length, sizeBytes - written)));
          hash.update(chunk);
          yield chunk;
        }
      })(),
    ),
    createWriteStream(path),
  );
  const sha256 = hash.digest("hex");
  const beforeKib = process.resourceUsage().maxRSS;
  const key = "reports/large/1-a.bin";
  await store.put({ key, path, sizeBytes, sha256, contentType: "application/octet-stream" });
  const { body } = await store.open(key);
  const readHash = createHash("sha256");
  for await (const chunk of body) readHash.update(chunk as Buffer);
  const growthBytes = (process.resourceUsage().maxRSS - beforeKib) * 1024;
  process.stdout.write(JSON.stringify({ growthBytes, sha256, readSha256: readHash.digest("hex") }));
} finally {
  await rm(directory, { recursive: true, force: true });
}
