import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { Client } from "minio";
import { StoreUnavailableError, type FileStat, type FileStore, type PutFile } from "@reports/core/base";
import { destroyOnAbort } from "../abort.ts";
import { assertByteRange } from "../byte-range.ts";
import { assertStorageKey, assertKeyPrefix } from "../key.ts";
import { maxNoteBytes, type StoreNotes } from "../store-notes.ts";
import { assertBucketName, ensureBucket, parseMinioEndpoint } from "./address.ts";
import { createObjectBodyStream } from "./object-body.ts";
import { abortStaleUploads } from "./stale-uploads.ts";
import { statObject, fileStatFromHeaders } from "./stat-object.ts";
import { isMissingObject, s3ErrorCodeOf, toObjectStoreError } from "./store-error.ts";
import { createStoreHttpAgent, createS3OperationTransport } from "./transport.ts";
import { uploadFile, type MultipartUploadState } from "./upload.ts";

export interface MinioStoreOptions {
  /** URL of the store with its scheme and without a path: `http://127.0.0.1:9000`. */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Name of the bucket. Only `create` creates it, if the access key may do so. */
  readonly bucket: string;
  /** Region of the bucket. Default: `us-east-1`, as MinIO uses. */
  readonly region?: string;
  /** PEM certificates of the certificate authorities to trust for https, instead of those that Node trusts. */
  readonly authorities?: readonly string[];
  /** Time limit until a connection is open. Default: 5,000 ms. */
  readonly connectTimeoutMs?: number;
  /** Maximum time without a byte in either direction. Default: 30,000 ms. */
  readonly idleTimeoutMs?: number;
  /** Size of the parts of an upload, at least 5 MiB. An upload holds one part in memory. Default: 8 MiB. */
  readonly partSizeBytes?: number;
}

const defaultRegion = "us-east-1";
const defaultPartSizeBytes = 8 * 1024 * 1024;
const listPageSize = 1_000;
const cleanUpTimeoutMs = 10_000;

type ClientOperation<Result> = (client: Client) => Promise<Result>;

/**
 * Creates a store of objects in one bucket of MinIO or another S3-compatible store. Every wait has a deadline and ends when the caller's signal
 * aborts. A put that fails removes what it stored. If that fails too, `abortStaleUploads` and the reconciler remove it later. Throws RangeError
 * for an invalid endpoint or bucket name.
 */
export function createMinioStore(options: MinioStoreOptions): FileStore & StoreNotes {
  const { bucket, region = defaultRegion, partSizeBytes = defaultPartSizeBytes } = options;
  const endpoint = parseMinioEndpoint(options.endpoint);
  assertBucketName(bucket);
  const deadlines = {
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
  };
  const agent = createStoreHttpAgent(endpoint.useSSL, options.authorities);

  /** Runs an operation with a separate S3 client, because one client can't abort its requests separately. All clients share their connections. */
  const run = async <Result>(
    what: string,
    key: string | undefined,
    signal: AbortSignal | undefined,
    operation: ClientOperation<Result>,
  ): Promise<Result> => {
    signal?.throwIfAborted();
    const transport = createS3OperationTransport(endpoint.useSSL, deadlines, signal);
    const client = new Client({
      ...endpoint,
      accessKey: options.accessKey,
      secretKey: options.secretKey,
      region,
      partSize: partSizeBytes,
      transport,
      transportAgent: agent,
      // The S3 client's retries are off: the worker repeats whole attempts of a report, and the two numbers of retries would multiply.
      retryOptions: { disableRetry: true },
    });
    try {
      return await operation(client);
    } catch (error) {
      signal?.throwIfAborted();
      throw toObjectStoreError(error, what, key, transport.latestStatus());
    }
  };

  const cleanUp = async (file: PutFile, begun: MultipartUploadState): Promise<void> => {
    const signal = AbortSignal.timeout(cleanUpTimeoutMs);
    await run("clean up", undefined, signal, async (client) => {
      const { uploadId } = begun;
      if (uploadId !== null) await client.abortMultipartUpload(bucket, file.key, uploadId).catch(() => undefined);
      await client.removeObject(bucket, file.key);
    }).catch(() => undefined);
  };

  return {
    async put(file) {
      assertStorageKey(file.key);
      const begun: MultipartUploadState = { uploadId: null };
      file.signal?.throwIfAborted();
      try {
        const stored = await run("store a file", undefined, file.signal, async (client) => {
          await uploadFile(client, bucket, file, partSizeBytes, begun);
          return statObject(client, bucket, file.key);
        });
        if (stored.sizeBytes !== file.sizeBytes) {
          throw new StoreUnavailableError(
            `The object store kept ${stored.sizeBytes} of ${file.sizeBytes} bytes of a file.`,
          );
        }
        await rm(file.path, { force: true });
        return stored;
      } catch (error) {
        await cleanUp(file, begun);
        throw error;
      }
    },

    async open(key, { range, signal } = {}) {
      assertStorageKey(key);
      if (range !== undefined) assertByteRange(range);
      const response = await run("open a file", key, signal, async (client) => {
        const headers: Record<string, string> =
          range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
        const answer = await client
          .makeRequestAsync({ method: "GET", bucketName: bucket, objectName: key, headers }, "", [
            range === undefined ? 200 : 206,
          ])
          .catch((error: unknown) => {
            throw s3ErrorCodeOf(error) === "InvalidRange"
              ? new RangeError("The byte range does not lie inside the file.")
              : error;
          });
        return answer;
      });
      const lengthBytes = Number(response.headers["content-length"]);
      const sizeBytes = range === undefined ? lengthBytes : Number(response.headers["content-range"]?.split("/")[1]);
      const body = createObjectBodyStream(response, lengthBytes, deadlines.idleTimeoutMs);
      try {
        if (!Number.isSafeInteger(lengthBytes) || !Number.isSafeInteger(sizeBytes)) {
          throw new StoreUnavailableError("The object store did not say how long the file is.");
        }
        if (range !== undefined) {
          assertByteRange(range, sizeBytes);
          if (lengthBytes !== range.end - range.start + 1) {
            throw new StoreUnavailableError(
              "The object store sent a different part of the file from the one requested.",
            );
          }
        }
      } catch (error) {
        body.destroy();
        throw error;
      }
      destroyOnAbort(body, signal);
      return { stat: { ...fileStatFromHeaders(key, response.headers), sizeBytes }, body };
    },

    async stat(key, { signal } = {}) {
      assertStorageKey(key);
      return run("find a file", undefined, signal, async (client) => {
        try {
          return await statObject(client, bucket, key);
        } catch (error) {
          if (isMissingObject(error)) return null;
          throw error;
        }
      });
    },

    async remove(key, { signal } = {}) {
      assertStorageKey(key);
      await run("remove a file", undefined, signal, async (client) => client.removeObject(bucket, key));
    },

    async *list(prefix, { signal } = {}): AsyncGenerator<FileStat> {
      assertKeyPrefix(prefix);
      let token = "";
      for (;;) {
        const page = await run("list its files", undefined, signal, async (client) =>
          client.listObjectsV2Query(bucket, prefix, token, "", listPageSize, ""),
        );
        for (const object of page.objects) {
          if (object.name !== undefined && object.lastModified !== undefined) {
            const { name: key, size: sizeBytes, lastModified, etag } = object;
            yield { key, sizeBytes, lastModified, version: etag ?? "", sha256: null };
          }
        }
        if (!page.isTruncated) return;
        token = page.nextContinuationToken;
      }
    },

    async abortStaleUploads(prefix, before, { signal } = {}) {
      assertKeyPrefix(prefix);
      return run("end unfinished uploads", undefined, signal, async (client) =>
        abortStaleUploads(client, bucket, prefix, before),
      );
    },

    async check({ signal } = {}) {
      await run("be checked", undefined, signal, async (client) => {
        if (!(await client.bucketExists(bucket))) {
          throw new StoreUnavailableError("The object store has no bucket of the configured name.");
        }
      });
    },

    async readNote(key, { signal } = {}) {
      assertStorageKey(key);
      return run("read a note", undefined, signal, async (client) => {
        try {
          return await readNoteStart(await client.getPartialObject(bucket, key, 0, maxNoteBytes));
        } catch (error) {
          if (isMissingObject(error) || s3ErrorCodeOf(error) === "NoSuchBucket") return null;
          throw error;
        }
      });
    },

    async writeNote(key, text, { signal } = {}) {
      assertStorageKey(key);
      await run("write a note", undefined, signal, async (client) =>
        client.putObject(bucket, key, Buffer.from(text), undefined, { "Content-Type": "text/plain; charset=utf-8" }),
      );
    },

    async create({ signal } = {}) {
      await run("be made", undefined, signal, async (client) => ensureBucket(client, bucket, region));
    },
  };
}

async function readNoteStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes >= maxNoteBytes) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, maxNoteBytes);
}
