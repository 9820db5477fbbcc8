import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { Client } from "minio";
import type { PutFile } from "@reports/core/base";
import { assertSizeAndHash } from "../file-system/copy-file.ts";
import { s3ErrorCodeOf } from "./store-error.ts";

const unknownHeaderCodes = new Set(["NotImplemented", "InvalidArgument", "InvalidRequest"]);

/** State of a multipart upload, with which a failed put can abort it. `uploadId` is null before the upload has begun. */
export interface MultipartUploadState {
  uploadId: string | null;
}

/**
 * Sends a finished file in one request if it fits into one part, and otherwise in parts, with one part in memory. The object becomes visible
 * only if its size and hash are those in `file`. The upload function of the client library is not used. It hangs if the source fails, resumes
 * uploads of other writers and does not return the upload ID.
 */
export async function uploadFile(
  client: Client,
  bucket: string,
  file: PutFile,
  partSizeBytes: number,
  begun: MultipartUploadState,
): Promise<void> {
  await using source = await open(file.path, "r");
  const { size } = await source.stat();
  if (size !== file.sizeBytes) assertSizeAndHash(file, size, file.sha256);
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(partSizeBytes, file.sizeBytes));
  const headers = { "Content-Type": file.contentType };

  if (file.sizeBytes <= partSizeBytes) {
    const bytes = await readPart(source, buffer, 0);
    assertSizeAndHash(file, bytes.length, hash.update(bytes).digest("hex"));
    await putInOneRequest(client, bucket, file, bytes);
    return;
  }

  const uploadId = await client.initiateNewMultipartUpload(bucket, file.key, headers);
  begun.uploadId = uploadId;
  const parts: { part: number; etag: string }[] = [];
  let sentBytes = 0;
  while (sentBytes < file.sizeBytes) {
    const bytes = await readPart(source, buffer, sentBytes);
    if (bytes.length === 0) break;
    hash.update(bytes);
    const part = parts.length + 1;
    parts.push({ part, etag: await uploadPart(client, bucket, file.key, uploadId, part, bytes) });
    sentBytes += bytes.length;
  }
  assertSizeAndHash(file, sentBytes, hash.digest("hex"));
  await client.completeMultipartUpload(bucket, file.key, uploadId, parts);
}

async function putInOneRequest(client: Client, bucket: string, file: PutFile, bytes: Buffer): Promise<void> {
  const put = async (checksum: Record<string, string>): Promise<unknown> =>
    client.makeRequestAsyncOmit(
      {
        method: "PUT",
        bucketName: bucket,
        objectName: file.key,
        headers: {
          "Content-Type": file.contentType,
          "Content-Length": String(bytes.length),
          "Content-MD5": createHash("md5").update(bytes).digest("base64"),
          ...checksum,
        },
      },
      bytes,
    );
  try {
    await put({ "x-amz-checksum-sha256": Buffer.from(file.sha256, "hex").toString("base64") });
  } catch (error) {
    // Some S3-compatible stores do not support checksums and refuse the header.
    if (!unknownHeaderCodes.has(s3ErrorCodeOf(error) ?? "")) throw error;
    await put({});
  }
}

async function uploadPart(
  client: Client,
  bucket: string,
  key: string,
  uploadId: string,
  part: number,
  bytes: Buffer,
): Promise<string> {
  const response = await client.makeRequestAsyncOmit(
    {
      method: "PUT",
      bucketName: bucket,
      objectName: key,
      query: `partNumber=${part}&uploadId=${encodeURIComponent(uploadId)}`,
      headers: {
        "Content-Length": String(bytes.length),
        "Content-MD5": createHash("md5").update(bytes).digest("base64"),
      },
    },
    bytes,
  );
  return (response.headers.etag ?? "").replaceAll('"', "");
}

async function readPart(source: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await source.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
