import { Transform, pipeline } from "node:stream";
import type { Readable } from "node:stream";
import { createHash } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { FileStat } from "../../base/file-store.ts";
import type { ReportFile } from "./report-file.ts";

export const mismatchedProperties = ["size", "digest", "version"] as const;
export type MismatchedProperty = (typeof mismatchedProperties)[number];

/** A difference between a stored file and the published one. One read does not prove damage, because the read itself can be faulty. */
export interface FileMismatch {
  readonly property: MismatchedProperty;
  readonly expected: string | number;
  readonly found: string | number;
}

export type PublishedFileProperties = Pick<ReportFile, "sizeBytes" | "sha256" | "storedVersion">;

const heldBackBytes = 256 * 1024;

export function findSizeMismatch(file: Pick<PublishedFileProperties, "sizeBytes">, found: number): FileMismatch | null {
  return found === file.sizeBytes ? null : { property: "size", expected: file.sizeBytes, found };
}

export function findVersionMismatch(
  file: Pick<PublishedFileProperties, "storedVersion">,
  { version }: Pick<FileStat, "version">,
): FileMismatch | null {
  if (file.storedVersion === null || file.storedVersion === version) return null;
  return { property: "version", expected: file.storedVersion, found: version };
}

export function fileUnverifiedError(): DomainError {
  return new DomainError(
    "unavailable",
    "report-file-unverified",
    "The stored file differs from the one that this report published and is being checked. Try again in a minute. The response is then the file or 410.",
    { retryAfterSeconds: 60 },
  );
}

/**
 * Returns a stream that passes a file through and hashes it. Holds back the last block until size and digest are verified. If they are wrong, calls
 * `onMismatch` and fails with DomainError("unavailable"), so that no client takes a wrong file for complete.
 */
export function createVerifiedStream(
  source: Readable,
  file: Pick<PublishedFileProperties, "sizeBytes" | "sha256">,
  onMismatch: (mismatch: FileMismatch) => void,
): Readable {
  const hash = createHash("sha256");
  let seenBytes = 0;
  let held: Buffer | undefined;
  const refuse = (mismatch: FileMismatch): DomainError => {
    held = undefined;
    onMismatch(mismatch);
    return fileUnverifiedError();
  };
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seenBytes += chunk.length;
      // A client stops after Content-Length bytes. It would take the beginning of a longer file for the complete file.
      if (seenBytes > file.sizeBytes) {
        done(refuse({ property: "size", expected: file.sizeBytes, found: seenBytes }));
        return;
      }
      hash.update(chunk);
      if (held !== undefined) this.push(held);
      const cut = Math.max(0, chunk.length - heldBackBytes);
      if (cut > 0) this.push(chunk.subarray(0, cut));
      held = chunk.subarray(cut);
      done();
    },
    flush(done) {
      const mismatch = findSizeMismatch(file, seenBytes) ?? findDigestMismatch(file, hash.digest("hex"));
      if (mismatch !== null) {
        done(refuse(mismatch));
        return;
      }
      if (held !== undefined) this.push(held);
      done();
    },
  });
  // An error event without a listener would end the process.
  body.on("error", () => undefined);
  pipeline(source, body, () => undefined);
  return body;
}

export function findDigestMismatch(file: Pick<PublishedFileProperties, "sha256">, found: string): FileMismatch | null {
  return found === file.sha256 ? null : { property: "digest", expected: file.sha256, found };
}
