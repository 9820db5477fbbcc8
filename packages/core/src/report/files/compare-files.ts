import type { Clock, FileStat, FileStore } from "../../base/file-store.ts";
import type { FileIndex, MismatchKind } from "./file-index.ts";
import { isStorageKey, reportsPrefix } from "./storage-key.ts";

export interface CompareLimits {
  readonly minAgeMs: number;
  readonly recordRetentionMs: number;
}

export interface CompareDeps {
  readonly index: Pick<FileIndex, "unnamed" | "named">;
  readonly files: Pick<FileStore, "list" | "stat">;
  readonly now: Clock;
}

/** Counts of a comparison. The keys of files are passed on in batches and never held in memory together. */
export interface Comparison {
  readonly files: number;
  readonly compared: number;
  /** Number of orphaned files: old files of known reports that no record names. */
  readonly unnamed: number;
  /** Number of old files of unknown reports, and of files whose key has another form. They can belong to another deployment, or be newer than a restored backup. */
  readonly unknown: number;
  readonly named: number;
  /** Number of old records whose file is not stored. */
  readonly missing: number;
}

/** Called with each batch of differences, at most 500 keys. */
export type OnDifference = (kind: MismatchKind | "unknown-report", keys: readonly string[]) => Promise<void>;

const page = 500;

export async function compareFiles(
  deps: CompareDeps,
  limits: CompareLimits,
  onDifference: OnDifference,
  signal: AbortSignal,
): Promise<Comparison> {
  return {
    ...(await compareStored(deps, limits, onDifference, signal)),
    ...(await compareNamed(deps, limits, onDifference, signal)),
  };
}

export async function missingOf(
  files: Pick<FileStore, "stat">,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) if ((await files.stat(key, { signal })) === null) missing.push(key);
  return missing;
}

async function compareStored(
  { index, files, now }: CompareDeps,
  { minAgeMs, recordRetentionMs }: CompareLimits,
  onDifference: OnDifference,
  signal: AbortSignal,
) {
  const startedAt = now().getTime();
  const count = { files: 0, compared: 0, unnamed: 0, unknown: 0 };
  let batch: FileStat[] = [];
  const flush = async (): Promise<void> => {
    const ages = new Map(batch.map(({ key, lastModified }) => [key, startedAt - lastModified.getTime()]));
    const old = [...ages.keys()].filter((key) => ages.get(key)! > minAgeMs);
    batch = [];
    if (old.length === 0) return;
    count.compared += old.length;
    const unnamed = await index.unnamed(old);
    // The database keeps a record for at least `recordRetentionMs`. So a younger file without a known report was written by another deployment.
    const isUnknown = ({ key, isReportKnown }: (typeof unnamed)[number]): boolean =>
      !isStorageKey(key) || (!isReportKnown && ages.get(key)! < recordRetentionMs);
    const unknown = unnamed.filter(isUnknown).map(({ key }) => key);
    const orphans = unnamed.filter((file) => !isUnknown(file)).map(({ key }) => key);
    count.unknown += unknown.length;
    count.unnamed += orphans.length;
    await onDifference("unknown-report", unknown);
    await onDifference("no-record", orphans);
  };
  for await (const file of files.list(reportsPrefix, { signal })) {
    count.files++;
    if (batch.push(file) === page) await flush();
  }
  await flush();
  return count;
}

async function compareNamed(
  { index, files }: CompareDeps,
  { minAgeMs }: CompareLimits,
  onDifference: OnDifference,
  signal: AbortSignal,
) {
  const count = { named: 0, missing: 0 };
  for (let keys = await index.named(null, minAgeMs, page); keys.length > 0;) {
    const missing = await missingOf(files, keys, signal);
    count.named += keys.length;
    count.missing += missing.length;
    await onDifference("no-object", missing);
    keys = await index.named(keys.at(-1)!, minAgeMs, page);
  }
  return count;
}
