import type { Clock, FileStat, FileStore } from "../../base/file-store.ts";
import type { ReconciliationStore, FileDifferenceKind, ReportIdRange } from "./reconciliation-store.ts";
import { isStorageKey, reportIdOfStorageKey, reportStorageKeyPrefix } from "./storage-key.ts";

export interface CompareFilesLimits {
  readonly minAgeMs: number;
  readonly recordRetentionMs: number;
}

export interface CompareFilesDeps {
  readonly index: Pick<ReconciliationStore, "unnamed" | "named">;
  readonly files: Pick<FileStore, "list" | "stat">;
  readonly now: Clock;
}

/** Counts of one comparison. The keys of differing files go to `onDifference` in batches, so that memory does not grow with the store. */
export interface FileComparisonCounts {
  readonly files: number;
  readonly compared: number;
  /**
   * Number of orphaned files older than `minAgeMs`. They count as this database's files: it knows their report, or they are older than
   * `recordRetentionMs`.
   */
  readonly unnamed: number;
  /** Number of old files without a record that may belong to another deployment, or be newer than a restored database. They are kept. */
  readonly unknown: number;
  readonly named: number;
  readonly missing: number;
  /** Number of stored files whose size was compared with the record. */
  readonly sizes: number;
  /** Number of stored files with another size than in their record. */
  readonly wrongSizes: number;
}

export type OnFileDifferences = (
  kind: FileDifferenceKind | "unknown-report" | "wrong-size",
  keys: readonly string[],
) => Promise<void>;

const pageSize = 1_000;

/**
 * Compares stored files with records in ranges of report IDs. A range costs one page of the store's list and one SQL statement if all its files
 * match. Stores need not list in key order, because each unmatched file or record is looked up by its key.
 */
export async function compareFiles(
  { index, files, now }: CompareFilesDeps,
  { minAgeMs, recordRetentionMs }: CompareFilesLimits,
  onDifference: OnFileDifferences,
  signal: AbortSignal,
): Promise<FileComparisonCounts> {
  const startedAt = now().getTime();
  const count = { files: 0, compared: 0, unnamed: 0, unknown: 0, named: 0, missing: 0, sizes: 0, wrongSizes: 0 };

  const compareNamed = async (
    range: ReportIdRange,
    stored: ReadonlyMap<string, number>,
  ): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for await (const page of index.named(range, minAgeMs)) {
      const present = page.filter(({ key }) => stored.has(key));
      for (const { key } of present) found.add(key);
      const wrong = present.filter((file) => file.sizeBytes !== stored.get(file.key)).map(({ key }) => key);
      count.sizes += present.length;
      count.wrongSizes += wrong.length;
      await onDifference("wrong-size", wrong);
      const others = page.filter(({ key }) => !stored.has(key)).map(({ key }) => key);
      const missing = await findMissingFiles(files, others, signal);
      count.named += page.length;
      count.missing += missing.length;
      await onDifference("no-object", missing);
    }
    return found;
  };

  const compareStored = async (old: readonly FileStat[], named: ReadonlySet<string>): Promise<void> => {
    const ages = new Map(old.map(({ key, lastModified }) => [key, startedAt - lastModified.getTime()]));
    const unnamed = await index.unnamed([...ages.keys()].filter((key) => !named.has(key)));
    // The database keeps a record for at least `recordRetentionMs`. So a younger file without a known report belongs to another database, or is
    // newer than a restored one.
    const isUnknown = ({ key, isReportKnown }: (typeof unnamed)[number]): boolean =>
      !isStorageKey(key) || (!isReportKnown && ages.get(key)! < recordRetentionMs);
    const unknown = unnamed.filter(isUnknown).map(({ key }) => key);
    const orphans = unnamed.filter((file) => !isUnknown(file)).map(({ key }) => key);
    count.compared += ages.size;
    count.unknown += unknown.length;
    count.unnamed += orphans.length;
    await onDifference("unknown-report", unknown);
    await onDifference("no-record", orphans);
  };

  let after: string | null = null;
  const compareRange = async (listed: readonly FileStat[], upTo: string | null): Promise<void> => {
    signal.throwIfAborted();
    const range = { after, upTo };
    after = upTo;
    const isEmpty = range.upTo !== null && range.upTo === range.after;
    const named: ReadonlySet<string> = isEmpty
      ? new Set()
      : await compareNamed(range, new Map(listed.map(({ key, sizeBytes }) => [key, sizeBytes])));
    const old = listed.filter(({ lastModified }) => startedAt - lastModified.getTime() > minAgeMs);
    await compareStored(old, named);
  };

  let listed: FileStat[] = [];
  for await (const file of files.list(reportStorageKeyPrefix, { signal })) {
    count.files++;
    listed.push(file);
    if (listed.length < pageSize) continue;
    await compareRange(listed, lastReportOf(listed, after));
    listed = [];
  }
  await compareRange(listed, null);
  return count;
}

function lastReportOf(listed: readonly FileStat[], after: string | null): string | null {
  return listed.reduce<string | null>((last, { key }) => {
    const id = reportIdOfStorageKey(key);
    return id !== null && (last === null || id > last) ? id : last;
  }, after);
}

export async function findMissingFiles(
  files: Pick<FileStore, "stat">,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) if ((await files.stat(key, { signal })) === null) missing.push(key);
  return missing;
}
