import type { Client } from "minio";
import { s3ErrorCodeOf } from "./store-error.ts";

const bucketNamePattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export function assertBucketName(bucket: string): void {
  if (bucketNamePattern.test(bucket)) return;
  throw new RangeError(
    "The bucket's name must be 3 to 63 characters of a-z 0-9 . - and begin and end with a letter or digit.",
  );
}

export async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  if (await client.bucketExists(bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process has created the bucket since the check.
    if (s3ErrorCodeOf(error) !== "BucketAlreadyOwnedByYou") throw error;
  }
}

/** Parses the URL of an endpoint. Throws RangeError unless it has a scheme, and neither path nor credentials. */
export function parseMinioEndpoint(text: string): { endPoint: string; port: number; useSSL: boolean } {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/" || url.username !== "") {
    throw new RangeError(
      "The object store's endpoint must be http://host:port or https://host:port, without path or credentials.",
    );
  }
  const useSSL = url.protocol === "https:";
  return { endPoint: url.hostname, port: url.port === "" ? (useSSL ? 443 : 80) : Number(url.port), useSSL };
}
