import { Transform, pipeline } from "node:stream";
import type { Readable } from "node:stream";
import { createHash } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { FileStat } from "../../base/file-store.ts";
import type { ReportFile } from "./report-file.ts";

/** In what a stored file differs from the one that was published. */
export const mismatchedProperties = ["size", "digest", "version"] as const;
export type MismatchedProperty = (typeof mismatchedProperties)[number];

/** What was found in the place of a published file. One look proves nothing: the read itself may have failed. */
export interface FileMismatch {
  readonly property: MismatchedProperty;
  readonly expected: string | number;
  readonly found: string | number;
}

/** What a stored file is compared with. */
export type PublishedBytes = Pick<ReportFile, "sizeBytes" | "sha256" | "storedVersion">;

/** At most this much of a file is held back until its digest is known. */
const heldBackBytes = 256 * 1024;

/** How the stored size differs from the published one; null when it does not. */
export function sizeMismatch(file: Pick<PublishedBytes, "sizeBytes">, found: number): FileMismatch | null {
  return found === file.sizeBytes ? null : { property: "size", expected: file.sizeBytes, found };
}

/** How the store's version differs from the published one; null when it does not, or when none was kept. */
export function versionMismatch(
  file: Pick<PublishedBytes, "storedVersion">,
  { version }: Pick<FileStat, "version">,
): FileMismatch | null {
  if (file.storedVersion === null || file.storedVersion === version) return null;
  return { property: "version", expected: file.storedVersion, found: version };
}

/** The error for a caller whose file is not the published one as far as one look can tell. */
export function fileUnverified(): DomainError {
  return new DomainError(
    "unavailable",
    "report-file-unverified",
    "The stored file differs from the one that this report published and is being checked. Try again in a minute: the answer is then the file or 410.",
    { retryAfterSeconds: 60 },
  );
}

/**
 * Passes a whole file on while hashing it, and holds its last block back until size and digest are known to be the published ones.
 * Otherwise `onMismatch` is told and the stream breaks with DomainError("unavailable"), so that nobody gets wrong bytes that look complete.
 */
export function verifiedBody(
  source: Readable,
  file: Pick<PublishedBytes, "sizeBytes" | "sha256">,
  onMismatch: (mismatch: FileMismatch) => void,
): Readable {
  const hash = createHash("sha256");
  let seenBytes = 0;
  let held: Buffer | undefined;
  const refuse = (mismatch: FileMismatch): DomainError => {
    held = undefined;
    onMismatch(mismatch);
    return fileUnverified();
  };
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seenBytes += chunk.length;
      // What is too long would look complete to a caller that counts as many bytes as were promised.
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
      const mismatch = sizeMismatch(file, seenBytes) ?? digestMismatch(file, hash.digest("hex"));
      if (mismatch !== null) {
        done(refuse(mismatch));
        return;
      }
      if (held !== undefined) this.push(held);
      done();
    },
  });
  // A reader gets the error as well; until there is one it must not end the process.
  body.on("error", () => undefined);
  pipeline(source, body, () => undefined);
  return body;
}

/** How a digest differs from the published one; null when it does not. */
export function digestMismatch(file: Pick<PublishedBytes, "sha256">, found: string): FileMismatch | null {
  return found === file.sha256 ? null : { property: "digest", expected: file.sha256, found };
}
