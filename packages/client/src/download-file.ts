import type { CallOptions } from "./call-options.ts";
import { GatewayError, ReportFailedError, unreachable } from "./errors.ts";
import { discard } from "./transport/response.ts";
import { bodyChunks } from "./transport/body-chunks.ts";
import { unlessAborted } from "./transport/pacing.ts";
import { backOff } from "./transport/retry.ts";
import type { Transport } from "./transport/send.ts";
import { isEnded } from "./wait-for-report.ts";
import type { Report, ReportFile } from "./wire/generated/report.ts";

/** How far a download is, in bytes. */
export interface DownloadProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** How a file is downloaded. */
export interface DownloadOptions extends CallOptions {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export interface DownloadSink {
  /** Resolves when more can be taken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Forgets all bytes so far; null if they have left the program. */
  readonly restart: (() => Promise<void>) | null;
  commit(): Promise<void>;
  /** Something failed, perhaps in `commit`: what was written is not the file. Never rejects. */
  abandon(reason: unknown): Promise<void>;
}

export interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(encoding: "hex"): string;
}

export interface DownloadPlatform<Target> {
  open(target: Target): Promise<DownloadSink>;
  /** SHA-256; null where there is none that grows (WebCrypto). The size is compared in any case. */
  readonly createDigest: (() => Digest) | null;
}

/** Writes the file of a report, asking for the rest where it breaks off. Rejects when the bytes are not those of the record. */
export async function downloadFile<Target>(
  transport: Transport,
  platform: DownloadPlatform<Target>,
  report: Report,
  target: Target,
  options: DownloadOptions = {},
): Promise<void> {
  const { file } = report;
  if (file === null) {
    if (isEnded(report)) throw new ReportFailedError(report);
    throw new TypeError(`The report ${report.id} is ${report.status} and has no file yet: wait for it first.`);
  }
  await downloadTo(transport, platform, { reportId: report.id, file, target, options });
}

/** The same for any file of a report. */
export async function downloadTo<Target>(
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
  readonly createDigest: (() => Digest) | null;
  readonly options: DownloadOptions;
}

async function receiveFile(
  transport: Transport,
  { reportId, file, sink, createDigest, options: { signal, onProgress } }: DownloadContext,
): Promise<void> {
  let digest = createDigest?.();
  /** Bytes in the sink. */
  let offset = 0;
  /** The peak of `offset`: only what exceeds it is progress. */
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
      // Size and SHA-256 prove the bytes, so a proxy may change their type.
      mediaType: "*/*",
      signal,
    });
    const { headers } = response;
    const sent = headers.get("ETag");
    const isWhole = response.status === 200;
    // A part has to continue exactly where the bytes end.
    const range = `bytes ${offset}-${file.size - 1}/${file.size}`;
    canResume = isWhole || (rest !== null && sent === rest && headers.get("Content-Range") === range);
    if (!canResume) {
      await discard(response);
      throw unreachable("Another part of the file came.");
    }
    /** Received bytes that the sink has already. */
    let skipped = 0;
    if (isWhole && offset > 0) {
      if (sink.restart !== null) {
        await sink.restart();
        digest = createDigest?.();
        offset = 0;
      } else if (etag !== null && sent === etag) skipped = offset;
      else throw wrongFile("has changed meanwhile");
    }
    // By which a part can be asked for: no weak one. RFC 9110 §13.1.5.
    etag = sent?.startsWith('"') === true ? sent : null;
    for await (const bytes of bodyChunks(response)) {
      const fresh = bytes.subarray(skipped);
      skipped -= bytes.length - fresh.length;
      if (fresh.length === 0) continue;
      if (offset + fresh.length > file.size) throw wrongFile(`has more than ${file.size} bytes`);
      digest?.update(fresh);
      await unlessAborted(sink.write(fresh), signal);
      offset += fresh.length;
      onProgress?.({ bytesDone: offset, bytesTotal: file.size });
    }
    if (offset < file.size) throw unreachable(`The file ended after ${offset} of ${file.size} bytes.`);
    if (digest !== undefined && digest.digest("hex") !== file.sha256)
      throw wrongFile("does not have the SHA-256 of its record");
  }

  for (let failures = 0; ;) {
    try {
      return await receive();
    } catch (error) {
      failures = offset > peakOffset ? 1 : failures + 1;
      peakOffset = Math.max(peakOffset, offset);
      await backOff(transport.pacing, signal, failures, error);
    }
  }
}

function wrongFile(what: string): GatewayError {
  return new GatewayError({ status: 0, code: "wrong-file", detail: `The file that was downloaded ${what}.` });
}
