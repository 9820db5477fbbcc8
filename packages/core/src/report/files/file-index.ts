import type { FileRemovals } from "./file-removal.ts";

export type MismatchKind = "no-record" | "no-object";

export interface UnnamedFile {
  readonly key: string;
  readonly isReportKnown: boolean;
}

/** The knowledge and actions of the reconciler. All methods reject with StoreUnavailableError. */
export interface FileIndex {
  /** Filters keys that no active record names, that are not on the removal list, and that hold no damaged file. */
  unnamed(keys: readonly string[]): Promise<readonly UnnamedFile[]>;
  /** Keys of active records that ended at least `minAgeMs` ago, sorted, after `after`. */
  named(after: string | null, minAgeMs: number, limit: number): Promise<readonly string[]>;

  /** Begins a round and returns its number, which always grows. */
  begin(): Promise<number>;
  /** Records that the round has found these, and since when they are known. */
  note(round: number, kind: MismatchKind, keys: readonly string[]): Promise<void>;
  /** Forgets, and removes from the list, what a complete round did not find: keys that are named again, files that are gone. */
  forgetResolved(round: number): Promise<void>;
  /** Differences of this round that earlier rounds at least `minAgeMs` ago found too, sorted, after `after`. */
  known(kind: MismatchKind, minAgeMs: number, after: string | null, limit: number): Promise<readonly string[]>;
  /** Files removed, and records made EXPIRED, by the reconciler within this time. */
  recentRepairs(withinMs: number): Promise<{ readonly removed: number; readonly expired: number }>;

  /** Puts known keys on the removal list, due after the delay, unless they are on it. Returns the number of new ones. */
  schedule(keys: readonly string[], delayMs: number): Promise<number>;
  /** Keys that the reconciler put on the list, and whether they are due. */
  scheduledAmong(keys: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Due keys of the reconciler that this round has found too, sorted, after `after`. */
  due(round: number, after: string | null, limit: number): Promise<readonly string[]>;
  readonly scheduled: Pick<FileRemovals, "confirm" | "markRemoved">;
  /** SUCCEEDED → EXPIRED for the records that name the keys. Returns their number. */
  expireNamed(keys: readonly string[]): Promise<number>;
  close(
    round: number,
    outcome: { readonly files: number; readonly unknown: number; readonly refused: number },
  ): Promise<void>;
  /** Cancels all scheduled removals and forgets all findings, which must be found twice again. Returns the number of removals. */
  undo(): Promise<number>;
}
