import type { Readable } from "node:stream";

/** Returns the current time. Use cases take a clock as a parameter, so that tests can set the time. */
export type Clock = () => Date;

/** Returns a new lower-case UUIDv7. */
export type IdMaker = () => string;

/** A byte range of a file. `start` and `end` are inclusive offsets inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file, without its content. */
export interface FileStat {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
  /** The store's entity tag, or the file's modification time. It changes if another file is stored under the same key. */
  readonly version: string;
  /** SHA-256 of the whole file in lower-case hexadecimal digits; null if the store holds no verified digest of the file. */
  readonly sha256: string | null;
}

/** A finished local file that `put` moves into the store. */
export interface PutFile {
  /** Relative path such as `a/b.csv`. Each part consists of `[A-Za-z0-9._-]`. No part is empty, `.` or `..`. */
  readonly key: string;
  /** Path of the finished local file, which must already be synced to disk. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

/** Port of the file store. All methods reject with StoreUnavailableError. Each key is written once, and a failed `put` leaves no visible file. */
export interface FileStore {
  /** Stores a file. Rejects with RangeError for an invalid key, and with the signal's reason after an abort. */
  put(file: PutFile): Promise<FileStat>;
  /**
   * Opens a file or a byte range of it. Resolves after the store has responded, so that a failure can still become an HTTP status. Later failures
   * are error events of `body`. Destroying `body` releases the connection. Rejects with FileNotFoundError.
   */
  open(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<{ stat: FileStat; body: Readable }>;
  stat(key: string, options?: { signal?: AbortSignal }): Promise<FileStat | null>;
  /** Removes a file. Succeeds also if the file does not exist. */
  remove(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Iterates over every file with the prefix, without holding all in memory. Most stores sort by key, but callers must not rely on it. */
  list(prefix: string, options?: { signal?: AbortSignal }): AsyncIterable<FileStat>;
  /** Aborts the unfinished uploads under the prefix that began before `before`. Returns their number. */
  abortStaleUploads(prefix: string, before: Date, options?: { signal?: AbortSignal }): Promise<number>;
  /** Resolves if the folder or bucket exists and responds. Never creates it, and writes nothing. */
  check(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Checks that the configured file store belongs to the database: both hold the same store ID. */
export interface StoreIdentity {
  /**
   * Resolves if the file store and the database hold the same store ID. Reuses a successful check that is at most `maxAgeMs` old (default 0). With
   * `glance`, the check may use a database ID that was read up to one second ago, and does not read an unchanged ID file again. Rejects with
   * StoreMismatchError if the IDs differ, and with StoreUnavailableError if the store or the database does not respond.
   */
  assert(options?: {
    readonly maxAgeMs?: number;
    readonly glance?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

export interface StoreIdReader {
  /**
   * Returns the store ID if the file store and the database hold the same one. A statement that writes a record must compare the ID again
   * (ReportCompletion.storeId), because it can change in between. Rejects as `assert` does.
   */
  readId(options?: { readonly signal?: AbortSignal }): Promise<string>;
}

export const storeStates = ["ok", "mismatch", "unavailable"] as const;
export type StoreState = (typeof storeStates)[number];

export interface StoreIdRepository {
  /** Returns the ID that the file store must hold; null if the database has none yet. `adopted` is true once this ID was written to a file store. */
  read(): Promise<{ readonly id: string; readonly adopted: boolean } | null>;
  namesFiles(): Promise<boolean>;
  /** Returns the file keys of at most `limit` active records, the latest first. */
  latestNamed(limit: number): Promise<readonly string[]>;
  /** Stores an ID in the database as not adopted, unless the database already has one. */
  propose(id: string): Promise<void>;
  /**
   * Runs `work`, then replaces the ID in the database by `id` and marks it as adopted. If `work` rejects, the old ID stays. Other adoptions wait
   * until this one ends. If the adopted ID is not `seen`, runs nothing and returns false.
   */
  exchange(id: string, seen: string | null, work: () => Promise<void>): Promise<boolean>;
  /**
   * Unless the ID is adopted, runs `work` with the ID and then marks it as adopted. Adoptions of all processes wait for each other, so that two
   * stores never get the same ID. Returns whether `work` ran.
   */
  adopt(work: (id: string) => Promise<void>): Promise<boolean>;
}
