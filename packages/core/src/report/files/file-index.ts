import type { FileRemovals } from "./file-removal.ts";

/** The two ways in which records and stored files can differ. */
export type MismatchKind = "no-record" | "no-object";

/** A stored file that no living record names. */
export interface UnnamedFile {
  readonly key: string;
  /** Whether the report in whose name it was stored is known at all, deleted or not. */
  readonly isReportKnown: boolean;
}

/** What the reconciler knows of stored files, and what it has done. All methods reject with StoreUnavailableError. */
export interface FileIndex {
  /** Those of the keys that no living record names, that nobody has asked to remove, and under which no damaged file is kept. */
  unnamed(keys: readonly string[]): Promise<readonly UnnamedFile[]>;
  /** Keys that living records name which ended longer ago than this, in order, beyond `after`. */
  named(after: string | null, minAgeMs: number, limit: number): Promise<readonly string[]>;

  /** Begins a round; its number is greater than those of all earlier ones. */
  begin(): Promise<number>;
  /** Remembers that the round has found these, and since when they are known. */
  note(round: number, kind: MismatchKind, keys: readonly string[]): Promise<void>;
  /**
   * Forgets what a round that has compared everything has not found, and takes it off the list: keys that are named again, files that
   * are gone.
   */
  settleRound(round: number): Promise<void>;
  /** What a round has found and rounds at least this long ago had found too, in order, beyond `after`. */
  known(kind: MismatchKind, minAgeMs: number, after: string | null, limit: number): Promise<readonly string[]>;
  /** How many files were removed, and records made EXPIRED, by the reconciler within this time. */
  mendedLately(withinMs: number): Promise<{ readonly removed: number; readonly expired: number }>;

  /** Puts those of the keys that are still known on the list of removals, due after the delay, unless they stand there. Says how many are new. */
  schedule(keys: readonly string[], delayMs: number): Promise<number>;
  /** Which of the keys the reconciler has put on the list, and whether they are due. */
  standing(keys: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Keys on the list that the reconciler put there, that are due and that this round has found too, in order, beyond `after`. */
  due(round: number, after: string | null, limit: number): Promise<readonly string[]>;
  /** The list as the removal of the reconciler's files sees it. */
  readonly scheduled: Pick<FileRemovals, "confirm" | "settle">;
  /** SUCCEEDED → EXPIRED for the records that name the keys. Says how many. */
  expireNamed(keys: readonly string[]): Promise<number>;
  /** Writes down how a round ended, for metrics and people. */
  close(
    round: number,
    outcome: { readonly files: number; readonly unknown: number; readonly refused: number },
  ): Promise<void>;
  /**
   * Takes everything that the reconciler has scheduled off the list and forgets what it has found, so that all of it has to be found
   * twice again and then waits again. Says how many removals were undone.
   */
  undo(): Promise<number>;
}
