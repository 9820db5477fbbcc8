import type { Client } from "minio";
import { s3CodeOf } from "./store-error.ts";

interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly initiated: Date;
}

/** Reads a page to its end before the next one is asked for, so that ending uploads meanwhile does not shift the pages. */
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

/** Ends the uploads of keys below the prefix that began before the given time; says how many. */
export async function abortStaleUploads(client: Client, bucket: string, prefix: string, before: Date): Promise<number> {
  let count = 0;
  // MinIO takes the prefix of this one call for a whole key, and lists everything when it is empty; other stores obey it.
  for (const asked of new Set([prefix, ""])) {
    for await (const upload of uploads(client, bucket, asked)) {
      if (!upload.key.startsWith(prefix) || upload.initiated >= before) continue;
      const ended = await client.abortMultipartUpload(bucket, upload.key, upload.uploadId).then(
        () => true,
        (error: unknown) => {
          // Finished, or ended by somebody else, since it was listed; MinIO also lists those of other buckets.
          if (s3CodeOf(error) === "NoSuchUpload") return false;
          throw error;
        },
      );
      if (ended) count += 1;
    }
  }
  return count;
}
