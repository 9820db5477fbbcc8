import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { Client } from "minio";
import { StoreUnavailableError } from "@reports/core";
import type { FileStat, FileStore, PutFile } from "@reports/core";
import { destroyOnAbort } from "../abort.ts";
import { assertRange } from "../byte-range.ts";
import { assertKey, assertPrefix } from "../key.ts";
import { objectBody } from "./object-body.ts";
import { isMissingObject, s3CodeOf, toStoreError } from "./store-error.ts";
import { createAgent, createTransport } from "./transport.ts";
import { uploadFile } from "./upload.ts";
import type { BegunUpload } from "./upload.ts";

/** Where the object store is and how long it may be silent. */
export interface MinioStoreOptions {
  /** URL with scheme and without a path: `http://127.0.0.1:9000`. */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Made by `check` when it is missing and the keys may make it. */
  readonly bucket: string;
  /** `us-east-1` unless said, which is MinIO's own default. */
  readonly region?: string;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Without a byte in either direction. Default 30,000. */
  readonly idleTimeoutMs?: number;
  /** Of uploads, at least 5 MiB; one part is in memory. Default 8 MiB. */
  readonly partSizeBytes?: number;
}

const defaultRegion = "us-east-1";
const defaultPartSizeBytes = 8 * 1024 * 1024;
const listPageSize = 1_000;
const cleanUpTimeoutMs = 10_000;

type Operation<Result> = (client: Client) => Promise<Result>;

/**
 * Files as objects of one bucket of MinIO or another S3-compatible store. Every wait has a deadline and ends with the caller's signal.
 * A put that fails removes what it left; when the store is away at that moment, nothing more can be done than `abortStaleUploads`
 * and a look for objects without a record later.
 */
export function createMinioStore(options: MinioStoreOptions): FileStore {
  const { bucket, region = defaultRegion, partSizeBytes = defaultPartSizeBytes } = options;
  const endpoint = parseEndpoint(options.endpoint);
  const deadlines = {
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 30_000,
  };
  const agent = createAgent(endpoint.useSSL);

  /** A client an operation, because the client's requests cannot be aborted one by one; the connections are shared. */
  const run = async <Result>(
    what: string,
    key: string | undefined,
    signal: AbortSignal | undefined,
    operation: Operation<Result>,
  ): Promise<Result> => {
    signal?.throwIfAborted();
    const transport = createTransport(endpoint.useSSL, deadlines, signal);
    const client = new Client({
      ...endpoint,
      accessKey: options.accessKey,
      secretKey: options.secretKey,
      region,
      partSize: partSizeBytes,
      transport,
      transportAgent: agent,
      // Retries belong to the worker; here they would multiply.
      retryOptions: { disableRetry: true },
    });
    try {
      return await operation(client);
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error, what, key, transport.latestStatus());
    }
  };

  const cleanUp = async (file: PutFile, begun: BegunUpload): Promise<void> => {
    const signal = AbortSignal.timeout(cleanUpTimeoutMs);
    await run("clean up", undefined, signal, async (client) => {
      const { uploadId } = begun;
      if (uploadId !== null) await client.abortMultipartUpload(bucket, file.key, uploadId).catch(() => undefined);
      await client.removeObject(bucket, file.key);
    }).catch(() => undefined);
  };

  return {
    async put(file) {
      assertKey(file.key);
      const begun: BegunUpload = { uploadId: null };
      file.signal?.throwIfAborted();
      try {
        await run("store a file", undefined, file.signal, async (client) => {
          await uploadFile(client, bucket, file, partSizeBytes, begun);
          const stored = await client.statObject(bucket, file.key);
          if (stored.size !== file.sizeBytes) {
            throw new StoreUnavailableError(
              `The object store kept ${stored.size} of ${file.sizeBytes} bytes of a file.`,
            );
          }
        });
        await rm(file.path, { force: true });
      } catch (error) {
        await cleanUp(file, begun);
        throw error;
      }
    },

    async open(key, { range, signal } = {}) {
      assertKey(key);
      if (range !== undefined) assertRange(range);
      const response = await run("open a file", key, signal, async (client) => {
        const headers: Record<string, string> =
          range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
        const answer = await client
          .makeRequestAsync({ method: "GET", bucketName: bucket, objectName: key, headers }, "", [
            range === undefined ? 200 : 206,
          ])
          .catch((error: unknown) => {
            throw s3CodeOf(error) === "InvalidRange"
              ? new RangeError("The byte range does not lie inside the file.")
              : error;
          });
        return answer;
      });
      const lengthBytes = Number(response.headers["content-length"]);
      const sizeBytes = range === undefined ? lengthBytes : Number(response.headers["content-range"]?.split("/")[1]);
      const body = objectBody(response, lengthBytes, deadlines.idleTimeoutMs);
      try {
        if (!Number.isSafeInteger(lengthBytes) || !Number.isSafeInteger(sizeBytes)) {
          throw new StoreUnavailableError("The object store did not say how long the file is.");
        }
        if (range !== undefined) assertRange(range, sizeBytes);
      } catch (error) {
        body.destroy();
        throw error;
      }
      destroyOnAbort(body, signal);
      return { stat: { key, sizeBytes, lastModified: new Date(response.headers["last-modified"] ?? 0) }, body };
    },

    async stat(key, { signal } = {}) {
      assertKey(key);
      return run("look at a file", undefined, signal, async (client) => {
        try {
          const { size, lastModified } = await client.statObject(bucket, key);
          return { key, sizeBytes: size, lastModified };
        } catch (error) {
          if (isMissingObject(error)) return null;
          throw error;
        }
      });
    },

    async remove(key, { signal } = {}) {
      assertKey(key);
      await run("remove a file", undefined, signal, async (client) => client.removeObject(bucket, key));
    },

    async *list(prefix, { signal } = {}): AsyncGenerator<FileStat> {
      assertPrefix(prefix);
      let token = "";
      for (;;) {
        const page = await run("list its files", undefined, signal, async (client) =>
          client.listObjectsV2Query(bucket, prefix, token, "", listPageSize, ""),
        );
        for (const object of page.objects) {
          if (object.name !== undefined && object.lastModified !== undefined) {
            yield { key: object.name, sizeBytes: object.size, lastModified: object.lastModified };
          }
        }
        if (!page.isTruncated) return;
        token = page.nextContinuationToken;
      }
    },

    async abortStaleUploads(prefix, before, { signal } = {}) {
      assertPrefix(prefix);
      return run("end unfinished uploads", undefined, signal, async (client) => {
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
      });
    },

    async check({ signal } = {}) {
      await run("be written to", undefined, signal, async (client) => {
        if (!(await client.bucketExists(bucket))) await makeBucket(client, bucket, region);
        const probe = `check/${randomBytes(8).toString("hex")}`;
        await client.putObject(bucket, probe, Buffer.from("check"));
        await client.removeObject(bucket, probe);
      });
    },
  };
}

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

async function makeBucket(client: Client, bucket: string, region: string): Promise<void> {
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    // Another process was quicker.
    if (s3CodeOf(error) !== "BucketAlreadyOwnedByYou") throw error;
  }
}

function parseEndpoint(text: string): { endPoint: string; port: number; useSSL: boolean } {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/" || url.username !== "") {
    throw new RangeError(
      "The object store's endpoint must be http://host:port or https://host:port, without path or credentials.",
    );
  }
  const useSSL = url.protocol === "https:";
  return { endPoint: url.hostname, port: url.port === "" ? (useSSL ? 443 : 80) : Number(url.port), useSSL };
}
