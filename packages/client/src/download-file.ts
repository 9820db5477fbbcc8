import type { CallOptions } from "./call-options.ts";
import { GatewayError, ReportFailedError, unreachableError } from "./errors.ts";
import { discardResponseBody } from "./transport/response.ts";
import { readBodyChunks } from "./transport/body-chunks.ts";
import { rejectOnAbort } from "./transport/client-timing.ts";
import { waitForRetryOrThrow } from "./transport/retry.ts";
import type { Transport } from "./transport/send.ts";
import { isReportEnded } from "./wait-for-report.ts";
import type { Report, ReportFile } from "./wire/generated/report.ts";

/** The progress of a download, in bytes. */
export interface DownloadProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** Options of a download, in addition to those of every method. */
export interface DownloadOptions extends CallOptions {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export interface DownloadSink {
  /** Writes bytes of the file. Resolves when the sink can take more bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Discards all written bytes, so that the download can begin again. Null if the sink has already passed them on, as a stream does. */
  readonly restart: (() => Promise<void>) | null;
  commit(): Promise<void>;
  /** Discards the incomplete file after a failure, also after a failure of `commit`. Never rejects. */
  abandon(reason: unknown): Promise<void>;
}

export interface IncrementalHash {
  update(bytes: Uint8Array): unknown;
  digest(encoding: "hex"): string;
}

export interface DownloadPlatform<Target> {
  open(target: Target): Promise<DownloadSink>;
  /** Creates an incremental SHA-256. Null on platforms without one (WebCrypto), where only the size is compared. */
  readonly createDigest: (() => IncrementalHash) | null;
}

/** Downloads the file of a report and resumes after a broken connection. Rejects if size or SHA-256 differ from the record. */
export async function downloadReport<Target>(
  transport: Transport,
  platform: DownloadPlatform<Target>,
  report: Report,
  target: Target,
  options: DownloadOptions = {},
): Promise<void> {
  const { file } = report;
  if (file === null) {
    if (isReportEnded(report)) throw new ReportFailedError(report);
    throw new TypeError(`The report ${report.id} is ${report.status} and has no file yet: wait for it first.`);
  }
  await downloadReportFile(transport, platform, { reportId: report.id, file, target, options });
}

/** Downloads a file of a report, such as an additional format, with the same checks as `downloadReport`. */
export async function downloadReportFile<Target>(
  transport: Transport,
  platform: DownloadPlatform<Target>,
  { target, ...wanted }: Pick<DownloadContext, "reportId" | "file" | "options"> & { readonly target: Target },
): Promise<void> {
  const sink = await platform.open(target);
  try {
    await receiveFile(transport, { ...wanted, sink, createDigest: platform.createDigest });
    await sink.commit();
  } catch (error) {
    await sink.abandon(error);
    throw error;
  }
}

export type DownloadableFile = Pick<ReportFile, "id" | "size" | "sha256">;

interface DownloadContext {
  readonly reportId: string;
  readonly file: DownloadableFile;
  readonly sink: DownloadSink;
  readonly createDigest: (() => IncrementalHash) | null;
  readonly options: DownloadOptions;
}

async function receiveFile(
  transport: Transport,
  { reportId, file, sink, createDigest, options }: DownloadContext,
): Promise<void> {
  const { signal, onRetry, onProgress } = options;
  let digest = createDigest?.();
  let offset = 0;
  /** The highest `offset` so far. Only a download beyond it counts as progress and resets the count of failures. */
  let peakOffset = 0;
  let etag: string | null = null;
  let canResume = false;

  async function receive(): Promise<void> {
    const rest = canResume && offset > 0 ? etag : null;
    const response = await transport.sendOnce({
      method: "GET",
      path: ["reports", reportId, "files", file.id],
      headers: {
        "Accept-Encoding": "identity",
        ...(rest !== null && { Range: `bytes=${offset}-`, "If-Range": rest }),
      },
      accepts: [416],
      // Size and SHA-256 verify the bytes, so the client accepts a media type that a proxy has changed.
      mediaType: "*/*",
      signal,
      onRetry,
    });
    const { headers } = response;
    const sent = headers.get("ETag");
    const isWhole = response.status === 200;
    // A resumed response must begin where the received bytes end. Otherwise the file would have a gap.
    const range = `bytes ${offset}-${file.size - 1}/${file.size}`;
    canResume = isWhole || (rest !== null && sent === rest && headers.get("Content-Range") === range);
    if (!canResume) {
      await discardResponseBody(response);
      throw unreachableError("Another part of the file came.");
    }
    /** Bytes at the beginning of this response that the sink already has, because the server has sent the whole file again. */
    let skipped = 0;
    if (isWhole && offset > 0) {
      if (sink.restart !== null) {
        await sink.restart();
        digest = createDigest?.();
        offset = 0;
      } else if (etag !== null && sent === etag) skipped = offset;
      else throw wrongFileError("has changed meanwhile");
    }
    // Only a strong entity tag is valid in If-Range (RFC 9110 §13.1.5).
    etag = sent?.startsWith('"') === true ? sent : null;
    for await (const bytes of readBodyChunks(response)) {
      const fresh = bytes.subarray(skipped);
      skipped -= bytes.length - fresh.length;
      if (fresh.length === 0) continue;
      if (offset + fresh.length > file.size) throw wrongFileError(`has more than ${file.size} bytes`);
      digest?.update(fresh);
      await rejectOnAbort(sink.write(fresh), signal);
      offset += fresh.length;
      onProgress?.({ bytesDone: offset, bytesTotal: file.size });
    }
    if (offset < file.size) throw unreachableError(`The file ended after ${offset} of ${file.size} bytes.`);
    if (digest !== undefined && digest.digest("hex") !== file.sha256)
      throw wrongFileError("does not have the SHA-256 of its record");
  }

  for (let failures = 0; ;) {
    try {
      return await receive();
    } catch (error) {
      failures = offset > peakOffset ? 1 : failures + 1;
      peakOffset = Math.max(peakOffset, offset);
      await waitForRetryOrThrow(transport.pacing, options, failures, error);
    }
  }
}

function wrongFileError(what: string): GatewayError {
  return new GatewayError({ status: 0, code: "wrong-file", detail: `The file that was downloaded ${what}.` });
}
