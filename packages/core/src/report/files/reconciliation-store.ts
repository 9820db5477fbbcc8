import type { FileRemovals } from "./file-removal.ts";

export type FileDifferenceKind = "no-record" | "no-object";

export interface FileWithoutRecord {
  readonly key: string;
  readonly isReportKnown: boolean;
}

/** A file that an active record names, with the size in the record. */
export interface NamedFile {
  readonly key: string;
  readonly sizeBytes: number;
}

/** The IDs above `after`, up to and including `upTo`. Null means no limit. */
export interface ReportIdRange {
  readonly after: string | null;
  readonly upTo: string | null;
}

/** Times in ms that decide whether all files must be compared. */
export interface ComparisonTimes {
  /** Since the beginning of the last comparison of all files. */
  readonly everyMs: number;
  /** Younger differences must be found by another comparison before they count. */
  readonly unconfirmedMs: number;
  /** A comparison expires the records of files that have been missing for longer. */
  readonly missingMs: number;
}

export interface ReconciliationStore {
  /** Returns those of `keys` that no active record names. Leaves out keys on the removal list and keys of damaged files. */
  unnamed(keys: readonly string[]): Promise<readonly FileWithoutRecord[]>;
  /** Yields the files of active records that ended at least `minAgeMs` ago, at most 1,000 per page, including row snapshots. */
  named(range: ReportIdRange, minAgeMs: number): AsyncIterable<readonly NamedFile[]>;
  /** Returns at most `count` random files of active records that ended at least `minAgeMs` ago, without those that are known to be missing. */
  randomNamed(count: number, minAgeMs: number): Promise<readonly NamedFile[]>;
  /** Returns how many of `keys` active records name. */
  countNamed(keys: readonly string[]): Promise<number>;
  /** Returns the keys of at most `count` random known differences of a kind. */
  randomKnown(kind: FileDifferenceKind, count: number): Promise<readonly string[]>;
  /** Returns true if the next round must compare all files. */
  isComparisonDue(times: ComparisonTimes): Promise<boolean>;
  /** Notes files as suspicious, so that workers read them. Notes no more than 100, so that those of downloads do not wait long. */
  suspect(keys: readonly string[]): Promise<void>;

  begin(): Promise<number>;
  /** Records differences that the round found. The age of a difference counts from the first round that found it. */
  note(round: number, kind: FileDifferenceKind, keys: readonly string[]): Promise<void>;
  /** Deletes the differences that this round no longer found, and takes their keys off the removal list. Call it only after a complete comparison. */
  forgetResolved(round: number): Promise<void>;
  known(kind: FileDifferenceKind, minAgeMs: number, after: string | null, limit: number): Promise<readonly string[]>;
  recentRepairs(withinMs: number): Promise<{ readonly removed: number; readonly expired: number }>;

  /** Puts keys on the removal list, due after `delayMs`, unless they are already listed. Returns the number of added keys. */
  schedule(keys: readonly string[], delayMs: number): Promise<number>;
  /** Returns which of `keys` the reconciler has put on the removal list. The value of a key says whether its removal is due. */
  scheduledAmong(keys: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Returns due keys above `after`, in key order, that the reconciler has listed and that this round found again. */
  due(round: number, after: string | null, limit: number): Promise<readonly string[]>;
  readonly scheduled: Pick<FileRemovals, "confirm" | "markRemoved">;
  expireNamed(keys: readonly string[]): Promise<number>;
  close(
    round: number,
    outcome: { readonly files: number; readonly unknown: number; readonly refused: number },
  ): Promise<void>;
  /** Cancels all scheduled removals, and forgets all differences, so that two new rounds must find each again. Returns the cancelled number. */
  undo(): Promise<number>;
}
