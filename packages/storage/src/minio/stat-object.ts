import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "minio";
import type { FileStat } from "@reports/core/base";

/** Includes the checksum. Rejects with the client's error, which isMissingObject knows. */
export async function statObject(client: Client, bucket: string, key: string): Promise<FileStat> {
  const response = await client.makeRequestAsyncOmit({
    method: "HEAD",
    bucketName: bucket,
    objectName: key,
    headers: { "x-amz-checksum-mode": "ENABLED" },
  });
  return statOf(key, response.headers);
}

/** Reads an object's headers. The version is its entity tag, which every S3-compatible store has. */
export function statOf(key: string, headers: IncomingHttpHeaders): FileStat {
  return {
    key,
    sizeBytes: Number(headers["content-length"]),
    lastModified: new Date(headers["last-modified"] ?? 0),
    version: (headers.etag ?? "").replaceAll('"', ""),
    sha256: wholeSha256(headers["x-amz-checksum-sha256"]),
  };
}

/** A multipart object's checksum is a digest of digests with a part count, unlike ours. */
function wholeSha256(header: string | string[] | undefined): string | null {
  if (typeof header !== "string" || !/^[A-Za-z0-9+/]{43}=$/.test(header)) return null;
  return Buffer.from(header, "base64").toString("hex");
}
