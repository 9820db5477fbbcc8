import type { Clock, FileStore, StoreIdentity } from "../../base/file-store.ts";
import type { NamedFile, ReconciliationStore, ReportIdRange } from "./reconciliation-store.ts";

export interface FileSampleLimits {
  /** Minimum time after the end of a report before a missing file counts as a difference in a comparison of all files. */
  readonly minAgeMs: number;
  /** Period of the rounds. */
  readonly everyMs: number;
}

export interface FileSampleDeps {
  readonly index: Pick<ReconciliationStore, "named" | "sample" | "countNamed" | "suspect">;
  readonly files: Pick<FileStore, "stat">;
  readonly identity: Pick<StoreIdentity, "assert">;
  readonly now: Clock;
}

/** Counts of one check of a sample. */
export interface FileSample {
  readonly checked: number;
  readonly missing: number;
  /** Number of stored files with another size than in their record. */
  readonly wrongSizes: number;
}

const randomFiles = 1_000;

/**
 * Looks up a sample of the files that records name: those of new reports, those of reports that have just reached `minAgeMs`, and random ones. So
 * the cost follows the number of new reports and not that of all files. Notes files with a wrong size as suspicious. Rejects with
 * StoreUnavailableError, and with StoreMismatchError in the wrong store.
 */
export async function checkFileSample(
  { index, files, identity, now }: FileSampleDeps,
  { minAgeMs, everyMs }: FileSampleLimits,
  signal: AbortSignal,
): Promise<FileSample> {
  await identity.assert({ signal });
  const count = { checked: 0, missing: 0, wrongSizes: 0 };
  const check = async (page: readonly NamedFile[]): Promise<void> => {
    const absent: string[] = [];
    const wrong: string[] = [];
    for (const { key, sizeBytes } of page) {
      signal.throwIfAborted();
      const stat = await files.stat(key, { signal });
      if (stat === null) absent.push(key);
      else if (stat.sizeBytes !== sizeBytes) wrong.push(key);
    }
    await index.suspect(wrong);
    count.checked += page.length;
    count.wrongSizes += wrong.length;
    // A record may have been deleted since it was read. Its file then is not missing.
    count.missing += await index.countNamed(absent);
  };
  const at = now().getTime();
  // Two periods, because rounds can begin late.
  const fromAge = (ageMs: number): ReportIdRange => ({
    after: firstIdAt(at - ageMs - 2 * everyMs),
    upTo: firstIdAt(at - ageMs),
  });
  for await (const page of index.named({ ...fromAge(0), upTo: null }, 0)) await check(page);
  for await (const page of index.named(fromAge(minAgeMs), minAgeMs)) await check(page);
  await check(await index.sample(randomFiles, minAgeMs));
  return count;
}

/** Returns the lowest UUIDv7 of a time. Its first 48 bits are the time in ms. */
function firstIdAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
