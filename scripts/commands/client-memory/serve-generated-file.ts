import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@reports/testing";

const contentBlock = Buffer.alloc(65_536, "The quick brown fox jumps over the lazy dog. ");

export async function serveGeneratedFile(sizeBytes: number) {
  const hash = createHash("sha256");
  for (const part of partsOf(sizeBytes)) hash.update(part);
  const sha256 = hash.digest("hex");
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": sizeBytes, "Content-Type": "text/csv", ETag: `"${sha256}"` });
    // If the client aborts a download, its process exits with an error, which fails the trial. So the server ignores the error.
    sendContent(response, sizeBytes).catch(() => response.destroy());
  });
  return { ...(await listenOnLoopback(server)), sha256 };
}

async function sendContent(response: ServerResponse, sizeBytes: number): Promise<void> {
  for (const part of partsOf(sizeBytes)) if (!response.write(part)) await once(response, "drain");
  response.end();
}

function* partsOf(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= contentBlock.length)
    yield left < contentBlock.length ? contentBlock.subarray(0, left) : contentBlock;
}
