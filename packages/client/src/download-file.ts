import type { CallOptions } from "./call-options.ts";
import { GatewayError, ReportFailedError } from "./errors.ts";
import { discard, unreachable } from "./transport/answer.ts";
import { bodyChunks } from "./transport/body-chunks.ts";
import { unlessAborted } from "./transport/pacing.ts";
import { backOff } from "./transport/retry.ts";
import type { Transport } from "./transport/send.ts";
import { isEnded } from "./wait-for-report.ts";
import type { Report, ReportFile } from "./wire/report.ts";

/** How far a download is, in bytes. */
export interface DownloadProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** How a file is downloaded. */
export interface DownloadOptions extends CallOptions {
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** Where the bytes of a file go. */
export interface DownloadSink {
  /** Resolves when more can be taken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Forgets all bytes so far; null where they are gone to somebody already. */
  readonly restart: (() => Promise<void>) | null;
  /** All bytes are there and right. */
  commit(): Promise<void>;
  /** Something went wrong, in `commit` perhaps: what was written is not the file. Never rejects. */
  abandon(reason: unknown): Promise<void>;
}

/** A digest that grows with the bytes. */
export interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(encoding: "hex"): string;
}

/** What a platform brings to downloads. */
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

/** The same of any file of a report. */
export async function downloadTo<Target>(
  transport: Transport,
  platform: DownloadPlatform<Target>,
  { target, ...wanted }: Pick<Reception, "reportId" | "file" | "options"> & { readonly target: Target },
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

interface Reception {
  readonly reportId: string;
  readonly file: Pick<ReportFile, "id" | "size" | "sha256">;
  readonly sink: DownloadSink;
  readonly createDigest: (() => Digest) | null;
  readonly options: DownloadOptions;
}

async function receiveFile(
  transport: Transport,
  { reportId, file, sink, createDigest, options: { signal, onProgress } }: Reception,
): Promise<void> {
  let digest = createDigest?.() ?? null;
  /** Bytes that the sink has. */
  let offset = 0;
  /** The most that it ever had: only what goes beyond is progress. */
  let furthest = 0;
  let etag: string | null = null;
  let asksForRest = false;

  async function receive(): Promise<void> {
    const isRest = asksForRest && etag !== null && offset > 0;
    const answer = await transport.sendOnce({
      method: "GET",
      path: ["reports", reportId, "files", file.id],
      headers: {
        Accept: "*/*",
        "Accept-Encoding": "identity",
        ...(isRest && etag !== null && { Range: `bytes=${offset}-`, "If-Range": etag }),
      },
      accepts: [416],
      signal,
    });
    const sent = answer.headers.get("ETag");
    asksForRest = answer.status === 200 || (isRest && isRestFrom(answer, offset, file.size) && sent === etag);
    if (!asksForRest) {
      await discard(answer);
      throw unreachable("The gateway answered with another part of the file.");
    }
    let skipped = answer.status === 200 ? await begin(sent) : 0;
    etag = strong(sent);
    for await (const bytes of bodyChunks(answer)) {
      const fresh = bytes.subarray(Math.min(skipped, bytes.length));
      skipped -= bytes.length - fresh.length;
      if (fresh.length === 0) continue;
      if (offset + fresh.length > file.size) throw wrongFile(`has more than ${file.size} bytes`);
      digest?.update(fresh);
      await unlessAborted(sink.write(fresh), signal);
      offset += fresh.length;
      onProgress?.({ bytesDone: offset, bytesTotal: file.size });
    }
    if (offset < file.size) throw unreachable(`The file ended after ${offset} of ${file.size} bytes.`);
  }

  /** The whole file is coming. Gives how many of its bytes are there already. */
  async function begin(sent: string | null): Promise<number> {
    if (offset === 0) return 0;
    if (sink.restart === null) {
      if (etag !== null && sent === etag) return offset;
      throw wrongFile("has changed since its first bytes were written");
    }
    await sink.restart();
    digest = createDigest?.() ?? null;
    offset = 0;
    return 0;
  }

  for (let failures = 0; ;) {
    try {
      await receive();
      break;
    } catch (error) {
      failures = offset > furthest ? 1 : failures + 1;
      furthest = Math.max(furthest, offset);
      await backOff(transport.pacing, signal, failures, error);
    }
  }
  if (digest !== null && digest.digest("hex") !== file.sha256)
    throw wrongFile("does not have the SHA-256 of its record");
}

/** Whether a 206 goes on exactly where the bytes end. */
function isRestFrom({ status, headers }: Response, offset: number, size: number): boolean {
  return status === 206 && headers.get("Content-Range") === `bytes ${offset}-${size - 1}/${size}`;
}

/** An entity tag by which a part can be asked for. RFC 9110 §13.1.5. */
function strong(etag: string | null): string | null {
  return etag?.startsWith('"') === true ? etag : null;
}

function wrongFile(what: string): GatewayError {
  return new GatewayError({ status: 0, code: "wrong-file", detail: `The file that was downloaded ${what}.` });
}
