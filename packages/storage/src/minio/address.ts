import type { Client } from "minio";
import { s3CodeOf } from "./store-error.ts";

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Rejects what cannot be a bucket's name. Throws RangeError. */
export function assertBucketName(bucket: string): void {
  if (bucketName.test(bucket)) return;
  throw new RangeError(
    "The bucket's name must be 3 to 63 characters of a-z 0-9 . - and begin and end with a letter or digit.",
  );
}

/** Makes the bucket unless it is there. */
export async function ensureBucket(client: Client, bucket: string, region: string): Promise<void> {
  if (await client.bucketExists(bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process was quicker.
    if (s3CodeOf(error) !== "BucketAlreadyOwnedByYou") throw error;
  }
}

/** The client's options for an endpoint's URL, which has a scheme and neither path nor credentials. Throws RangeError. */
export function parseEndpoint(text: string): { endPoint: string; port: number; useSSL: boolean } {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/" || url.username !== "") {
    throw new RangeError(
      "The object store's endpoint must be http://host:port or https://host:port, without path or credentials.",
    );
  }
  const useSSL = url.protocol === "https:";
  return { endPoint: url.hostname, port: url.port === "" ? (useSSL ? 443 : 80) : Number(url.port), useSSL };
}
