import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "minio";
import type { FileStat } from "@reports/core/base";

/** Reads the stats of an object with its checksum. Rejects with the client's error, which `isMissingObject` can test. */
export async function statObject(client: Client, bucket: string, key: string): Promise<FileStat> {
  const response = await client.makeRequestAsyncOmit({
    method: "HEAD",
    bucketName: bucket,
    objectName: key,
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  return fileStatFromHeaders(key, response.headers);
}

/** Reads the stats from response headers. The version is the ETag, which every S3-compatible store sends. */
export function fileStatFromHeaders(key: string, headers: IncomingHttpHeaders): FileStat {
  return {
    key,
    sizeBytes: Number(headers["content-length"]),
    lastModified: new Date(headers["last-modified"] ?? 0),
    version: (headers.etag ?? "").replaceAll('"', ""),
    sha256: parseWholeSha256(headers["x-amz-checksum-sha256"]),
  };
}

/** Returns the SHA-256, or null for an object of several parts, whose checksum is a digest of the digests of its parts. */
function parseWholeSha256(header: string | string[] | undefined): string | null {
  if (typeof header !== "string" || !/^[A-Za-z0-9+/]{43}=$/.test(header)) return null;
  return Buffer.from(header, "base64").toString("hex");
}
