import type { Client } from "minio";
import { s3ErrorCodeOf } from "./store-error.ts";

interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly initiated: Date;
}

/** Lists open uploads. Each page is complete before its uploads are yielded, because ending an upload would shift the pages. */
async function* listOpenUploads(client: Client, bucket: string, prefix: string): AsyncGenerator<OpenUpload> {
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
 * Aborts uploads of keys with the prefix that began before the given time. Returns their number. MinIO treats the prefix of this listing as a whole
 * key, unless it is empty: then MinIO lists all uploads since its last start. MinIO itself ends older ones after a day
 * (`MINIO_API_STALE_UPLOADS_EXPIRY`). Other stores honour the prefix. So uploads are listed with the prefix and with the empty one.
 */
export async function abortStaleUploads(client: Client, bucket: string, prefix: string, before: Date): Promise<number> {
  let count = 0;
  for (const asked of new Set([prefix, ""])) {
    for await (const upload of listOpenUploads(client, bucket, asked)) {
      if (!upload.key.startsWith(prefix) || upload.initiated >= before) continue;
      const ended = await client.abortMultipartUpload(bucket, upload.key, upload.uploadId).then(
        () => true,
        (error: unknown) => {
          // The upload was finished or aborted after it was listed.
          if (s3ErrorCodeOf(error) === "NoSuchUpload") return false;
          throw error;
        },
      );
      if (ended) count += 1;
    }
  }
  return count;
}
