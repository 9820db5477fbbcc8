import type { FileStore } from "../../base/file-store.ts";
import { findMissingFiles } from "./compare-files.ts";
import type { ReconciliationStore } from "./reconciliation-store.ts";

export interface FileSampleDeps {
  readonly index: Pick<ReconciliationStore, "randomNamed" | "countNamed" | "randomKnown">;
  readonly files: Pick<FileStore, "stat">;
}

/** Result of a look at a sample of files. */
export interface FileSample {
  /** Number of files whose presence and size were compared with the record. */
  readonly checked: number;
  /** Whether a comparison of all files would find other differences than those that are known. */
  readonly isChanged: boolean;
}

const sampleSize = 1_000;

/**
 * Looks up random files that records name, and random files whose differences are known, at most 1,000 of each. So the cost does not depend on the
 * number of files. Rejects with StoreUnavailableError.
 */
export async function checkFileSample(
  { index, files }: FileSampleDeps,
  minAgeMs: number,
  signal: AbortSignal,
): Promise<FileSample> {
  const named = await index.randomNamed(sampleSize, minAgeMs);
  const missing: string[] = [];
  let isChanged = false;
  for (const { key, sizeBytes } of named) {
    signal.throwIfAborted();
    const stat = await files.stat(key, { signal });
    if (stat === null) missing.push(key);
    else if (stat.sizeBytes !== sizeBytes) isChanged = true;
  }
  // Since the records were read, some may have been deleted with their files.
  if ((await index.countNamed(missing)) > 0) isChanged = true;
  const lost = await index.randomKnown("no-object", sampleSize);
  const orphans = await index.randomKnown("no-record", sampleSize);
  if ((await findMissingFiles(files, lost, signal)).length < lost.length) isChanged = true;
  if ((await findMissingFiles(files, orphans, signal)).length > 0) isChanged = true;
  return { checked: named.length, isChanged };
}
