import type { Readable } from "node:stream";

/** Returns the current time. It is passed in, so that tests can set the time. */
export type Clock = () => Date;

/** Returns a new lower-case UUIDv7. */
export type IdMaker = () => string;

/** A byte range of a file. Both ends are inclusive and lie inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Properties of a stored file. */
export interface FileStat {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
  /** Differs between all files that were ever stored under the key. It is the store's entity tag, or the time of the file. */
  readonly version: string;
  /** SHA-256 of the whole file in lower-case hexadecimal digits, if the store has verified and kept it; else null. */
  readonly sha256: string | null;
}

/** A finished local file to store. */
export interface PutFile {
  /** Relative path of parts of `[A-Za-z0-9._-]`, separated by `/`. No part is empty, `.` or `..`. */
  readonly key: string;
  /** Path of the finished file, which is synced to disk. A successful put moves the file into the store. */
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 in lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

/** Port of the file store. All methods reject with StoreUnavailableError. Each key is written once, and a failed put leaves no visible file. */
export interface FileStore {
  /** Stores a file. Rejects with RangeError for an invalid key, and with the signal's reason. */
  put(file: PutFile): Promise<FileStat>;
  /**
   * Opens a file or a part of it. Resolves after the store has responded, so that a failure can still become an HTTP status. Later failures are error
   * events of `body`. Destroying `body` releases the connection. Rejects with FileNotFoundError.
   */
  open(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<{ stat: FileStat; body: Readable }>;
  /** Returns null if no file is stored under the key. */
  stat(key: string, options?: { signal?: AbortSignal }): Promise<FileStat | null>;
  /** Removes a file. Succeeds also if the file does not exist. */
  remove(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Iterates over every file with the prefix, without holding all of them in memory. The order of keys is usual, but some stores have another one. */
  list(prefix: string, options?: { signal?: AbortSignal }): AsyncIterable<FileStat>;
  /** Aborts unfinished uploads under the prefix that began before `before`; returns their number. */
  abortStaleUploads(prefix: string, before: Date, options?: { signal?: AbortSignal }): Promise<number>;
  /** Resolves if the store exists and responds. Writes nothing and creates neither folder nor bucket. */
  check(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Checks whether the configured file store belongs to the database: both hold the same store ID. */
export interface StoreIdentity {
  /**
   * Resolves if the store IDs are equal. Reuses a successful check that is at most `maxAgeMs` old (default 0). With `glance`, the database's ID may
   * be a second old, and an unchanged ID file of the store is not read again. Rejects with StoreMismatchError if the IDs differ, and with
   * StoreUnavailableError if the store or the database does not respond.
   */
  assert(options?: {
    readonly maxAgeMs?: number;
    readonly glance?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

export interface StoreIdReader {
  /** Returns the store's ID after comparing it with the database's. A statement that writes a record must compare it again (ReportCompletion.storeId). Rejects as StoreIdentity.assert does. */
  readId(options?: { readonly signal?: AbortSignal }): Promise<string>;
}

export const storeStates = ["ok", "mismatch", "unavailable"] as const;
export type StoreState = (typeof storeStates)[number];

/** The store ID in the database. All methods reject with StoreUnavailableError. */
export interface StoreIdRecord {
  /** Returns the ID that the file store must hold; null if there is none yet. `adopted` is true once the ID was written to a store. */
  read(): Promise<{ readonly id: string; readonly adopted: boolean } | null>;
  namesFiles(): Promise<boolean>;
  /** Returns file keys of active records, the latest first. */
  latestNamed(limit: number): Promise<readonly string[]>;
  /** Stores the ID as not adopted, unless the database already has an ID. */
  propose(id: string): Promise<void>;
  /** Runs `work`, then replaces the ID by `id` and marks it as adopted, unless `work` rejects. Other adoptions wait meanwhile. Does nothing and returns false if an ID other than `seen` is adopted. */
  exchange(id: string, seen: string | null, work: () => Promise<void>): Promise<boolean>;
  /** Unless the ID is adopted, runs `work` with the ID and marks it as adopted. Adoptions of all processes wait for each other, so that two stores never get the same ID. Returns whether `work` ran. */
  adopt(work: (id: string) => Promise<void>): Promise<boolean>;
}
