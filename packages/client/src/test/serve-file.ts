import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Report } from "../wire/generated/report.ts";
import type { SeenRequest } from "./start-test-response-server.ts";

/** Returns bytes without repetitions, so that a piece from a wrong offset differs. */
export function createTestBytes(size: number, seed = 1): Buffer {
  const block = (index: number): Buffer => createHash("sha256").update(`${seed} ${index}`).digest();
  return Buffer.concat(Array.from({ length: Math.ceil(size / 32) }, (_, index) => block(index))).subarray(0, size);
}

export function createTestReportWithFile(bytes: Buffer): Report {
  const file = { id: "f", size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  return { id: "r", status: "SUCCEEDED", finishedAt: "2026-01-01T00:00:00.000Z", error: null, file } as Report;
}

/** Answers a download as the gateway does, with Range and If-Range. Breaks the connection after `cutAfter` bytes of the body. */
export function sendTestDownload(
  response: ServerResponse,
  { headers }: Pick<SeenRequest, "headers">,
  bytes: Buffer,
  { etag = '"v1"', cutAfter = Number.POSITIVE_INFINITY }: { readonly etag?: string; readonly cutAfter?: number } = {},
): void {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
  const isPart = from !== undefined && headers["if-range"] === etag;
  const body = isPart ? bytes.subarray(Number(from)) : bytes;
  const range = isPart ? { "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
  response.writeHead(isPart ? 206 : 200, { ETag: etag, "Content-Length": body.length, ...range });
  if (cutAfter < body.length) response.write(body.subarray(0, cutAfter), () => response.destroy());
  else response.end(body);
}
