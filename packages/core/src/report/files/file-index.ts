import type { FileRemovals } from "./file-removal.ts";

export type MismatchKind = "no-record" | "no-object";

export interface UnnamedFile {
  readonly key: string;
  readonly isReportKnown: boolean;
}

/** Report IDs above `after` and up to `upTo`; null means no limit. */
export interface ReportRange {
  readonly after: string | null;
  readonly upTo: string | null;
}

/** Port through which the reconciler uses the database. All methods reject with StoreUnavailableError. */
export interface FileIndex {
  /** Returns those of the keys that no active record names, that are not on the removal list, and that hold no damaged file. */
  unnamed(keys: readonly string[]): Promise<readonly UnnamedFile[]>;
  /** Reads the file keys of active records that ended at least `minAgeMs` ago, in pages of at most 1,000. The row snapshot of a report is in the range of its report, as in its key. */
  named(range: ReportRange, minAgeMs: number): AsyncIterable<readonly string[]>;

  /** Begins a round and returns its number, which is higher than that of every earlier round. */
  begin(): Promise<number>;
  /** Records that the round found these differences. The first round that finds a difference sets its age. */
  note(round: number, kind: MismatchKind, keys: readonly string[]): Promise<void>;
  /** Forgets the differences that a complete round no longer found, and takes their keys off the removal list. */
  forgetResolved(round: number): Promise<void>;
  /** Returns the keys of differences that were first found at least `minAgeMs` ago, in order, beginning after the key `after`. */
  known(kind: MismatchKind, minAgeMs: number, after: string | null, limit: number): Promise<readonly string[]>;
  /** Returns how many files the reconciler removed and how many reports it expired within this time. */
  recentRepairs(withinMs: number): Promise<{ readonly removed: number; readonly expired: number }>;

  /** Puts keys on the removal list, due after the delay, unless they are listed already. Returns the number of added keys. */
  schedule(keys: readonly string[], delayMs: number): Promise<number>;
  /** Returns those of the keys that the reconciler has put on the removal list, and whether each is due. */
  scheduledAmong(keys: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Returns the due keys that the reconciler has listed and that this round found again, in order, beginning after the key `after`. */
  due(round: number, after: string | null, limit: number): Promise<readonly string[]>;
  readonly scheduled: Pick<FileRemovals, "confirm" | "markRemoved">;
  /** Changes the reports that name the keys from SUCCEEDED to EXPIRED. Returns their number. */
  expireNamed(keys: readonly string[]): Promise<number>;
  close(
    round: number,
    outcome: { readonly files: number; readonly unknown: number; readonly refused: number },
  ): Promise<void>;
  /** Cancels all scheduled removals and forgets all differences, so that each must be found twice again. Returns the number of cancelled removals. */
  undo(): Promise<number>;
}
