import type { FileStat, FileStore } from "../ports.ts";

/** The two ways in which records and stored files can differ. */
export type MismatchKind = "no-record" | "no-object";

/** What is known of stored files. All methods reject with StoreUnavailableError. */
export interface FileIndex {
  /** Those of the keys that no living record names, and under which no damaged file is kept. */
  withoutRecord(keys: readonly string[]): Promise<readonly string[]>;
  /** Keys that living records name which ended longer ago than this, in order, beyond `after`. */
  named(after: string | null, minAgeMs: number, limit: number): Promise<readonly string[]>;
  /** Remembers mismatches that are not known yet. */
  note(kind: MismatchKind, keys: readonly string[]): Promise<void>;
  /** Mismatches that have been known for at least this long. */
  known(kind: MismatchKind, minAgeMs: number, limit: number): Promise<readonly string[]>;
  forget(keys: readonly string[]): Promise<void>;
  /** SUCCEEDED → EXPIRED for the record that names the key. */
  expireNamed(key: string): Promise<void>;
}

/** What is compared, and when it is acted upon. */
export interface ReconcileLimits {
  /** Nothing younger is touched. */
  readonly minAgeMs: number;
  /** A mismatch is acted upon when a look at least this long ago found it too. */
  readonly secondLookMs: number;
  /** More than this many, and more than this share of all files, are a mistake of ours rather than orphans: nothing is done. */
  readonly massCount: number;
  readonly massShare: number;
}

/** What a round found and did. */
export interface ReconcileOutcome {
  readonly files: number;
  /** Files without a record that were removed. */
  readonly removed: number;
  /** Records whose file is gone for good; they are EXPIRED now. */
  readonly expired: number;
  readonly abortedUploads: number;
  /** Mismatches that were not acted upon because there were too many. */
  readonly refused: number;
}

const prefix = "reports/";
const page = 500;
/** Mismatches that one round acts upon. */
const most = 5_000;

/** Compares the file store with the records, and mends what two looks have found. Safe to run twice at once. */
export async function reconcileFiles(
  deps: {
    readonly index: FileIndex;
    readonly files: Pick<FileStore, "list" | "stat" | "remove" | "abortStaleUploads">;
    readonly now: () => Date;
  },
  limits: ReconcileLimits,
  signal: AbortSignal,
): Promise<ReconcileOutcome> {
  const { index, files } = deps;
  const before = new Date(deps.now().getTime() - limits.minAgeMs);
  const total = await noteOrphans(deps, before, signal);
  const named = await noteMissing(deps, limits.minAgeMs, signal);
  const isMass = (count: number, of: number): boolean => count > limits.massCount && count > of * limits.massShare;

  const knownOrphans = await index.known("no-record", limits.secondLookMs, most);
  const orphans = await index.withoutRecord(knownOrphans);
  const refusesOrphans = isMass(orphans.length, total);
  if (!refusesOrphans) {
    for (const key of orphans) await files.remove(key, { signal });
    await index.forget(knownOrphans);
  }

  const knownMissing = await index.known("no-object", limits.secondLookMs, most);
  const missing = await missingOf(files, knownMissing, signal);
  const refusesMissing = isMass(missing.length, named);
  if (!refusesMissing) {
    for (const key of missing) await index.expireNamed(key);
    await index.forget(knownMissing);
  }

  return {
    files: total,
    removed: refusesOrphans ? 0 : orphans.length,
    expired: refusesMissing ? 0 : missing.length,
    abortedUploads: await files.abortStaleUploads(prefix, before, { signal }),
    refused: (refusesOrphans ? orphans.length : 0) + (refusesMissing ? missing.length : 0),
  };
}

async function noteOrphans(
  { index, files }: { readonly index: FileIndex; readonly files: Pick<FileStore, "list"> },
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  let batch: FileStat[] = [];
  const flush = async (): Promise<void> => {
    const old = batch.filter(({ lastModified }) => lastModified < before).map(({ key }) => key);
    batch = [];
    if (old.length > 0) await index.note("no-record", await index.withoutRecord(old));
  };
  for await (const file of files.list(prefix, { signal })) {
    total++;
    batch.push(file);
    if (batch.length === page) await flush();
  }
  await flush();
  return total;
}

async function noteMissing(
  { index, files }: { readonly index: FileIndex; readonly files: Pick<FileStore, "stat"> },
  minAgeMs: number,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let keys = await index.named(null, minAgeMs, page); keys.length > 0;) {
    total += keys.length;
    await index.note("no-object", await missingOf(files, keys, signal));
    keys = await index.named(keys.at(-1)!, minAgeMs, page);
  }
  return total;
}

async function missingOf(
  files: Pick<FileStore, "stat">,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) if ((await files.stat(key, { signal })) === null) missing.push(key);
  return missing;
}
