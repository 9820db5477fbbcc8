import type { Client } from "minio";
import { s3CodeOf } from "./store-error.ts";

interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly initiated: Date;
}

/** Reads a whole page before requesting the next, because ending uploads would shift pages. */
async function* uploads(client: Client, bucket: string, prefix: string): AsyncGenerator<OpenUpload> {
  let keyMarker = "";
  let uploadIdMarker = "";
  for (;;) {
    const page = await client.listIncompleteUploadsQuery(bucket, prefix, keyMarker, uploadIdMarker, "");
    yield* page.uploads;
    if (!page.isTruncated) return;
    keyMarker = page.nextKeyMarker;
    uploadIdMarker = page.nextUploadIdMarker;
  }
}

/**
 * Aborts uploads of keys with the prefix that began before the given time; returns their number.
 * MinIO takes this listing's prefix for a whole key. For the empty prefix it lists every upload since its own start;
 * older ones are found only by their whole key, and it ends them after a day (`MINIO_API_STALE_UPLOADS_EXPIRY`). Other
 * stores obey the prefix.
 */
export async function abortStaleUploads(client: Client, bucket: string, prefix: string, before: Date): Promise<number> {
  let count = 0;
  for (const asked of new Set([prefix, ""])) {
    for await (const upload of uploads(client, bucket, asked)) {
      if (!upload.key.startsWith(prefix) || upload.initiated >= before) continue;
      const ended = await client.abortMultipartUpload(bucket, upload.key, upload.uploadId).then(
        () => true,
        (error: unknown) => {
          // Finished or aborted since it was listed.
          if (s3CodeOf(error) === "NoSuchUpload") return false;
          throw error;
        },
      );
      if (ended) count += 1;
    }
  }
  return count;
}
