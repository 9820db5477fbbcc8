import type { Readable } from "node:stream";

/** The current time; a dependency so that tests may choose it. */
export type Clock = () => Date;

/** Makes a lower-case UUIDv7. */
export type IdMaker = () => string;

/** A byte range, both ends inclusive and inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file. */
export interface FileStat {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
  /** Identifies one of all files ever stored under the key: the store's entity tag, or the file's time. */
  readonly version: string;
  /** Lower-case hex, of the whole file, if the store checked it while storing and keeps it; else null. */
  readonly sha256: string | null;
}

/** A finished local file that is to be stored. */
export interface PutFile {
  /** Relative, `/`-separated, characters `[A-Za-z0-9._-]`, no empty, `.` or `..` part. */
  readonly key: string;
  /** The finished file, synced to disk. A successful put moves it into the store. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

/** All methods reject with StoreUnavailableError. A failed put leaves nothing visible; keys are written once. */
export interface FileStore {
  /** Rejects with RangeError for a bad key, and with the signal's reason. */
  put(file: PutFile): Promise<FileStat>;
  /**
   * Opens the stored bytes, or a part of them, once the store has responded, so that a failure can still become an HTTP status. Later
   * failures are error events of the body. Destroying it releases the connection. Rejects with FileNotFoundError.
   */
  open(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<{ stat: FileStat; body: Readable }>;
  /** Null if nothing is stored under the key. */
  stat(key: string, options?: { signal?: AbortSignal }): Promise<FileStat | null>;
  /** Succeeds if the file does not exist. */
  remove(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Every file with the prefix, unordered, without holding all of them in memory. */
  list(prefix: string, options?: { signal?: AbortSignal }): AsyncIterable<FileStat>;
  /** Aborts unfinished uploads under the prefix that began before `before`; returns their number. */
  abortStaleUploads(prefix: string, before: Date, options?: { signal?: AbortSignal }): Promise<number>;
  /** Resolves if the store exists and responds. Writes nothing and creates neither folder nor bucket. */
  check(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Checks whether this process's file store is the one of the database's records. */
export interface StoreIdentity {
  /**
   * Resolves if they belong together, also by a check at most `maxAgeMs` ago (default 0). For a glance the database's state may
   * be a second old, and the marker is not read again if its file has not changed. Rejects with StoreMismatchError if they do
   * not, and with StoreUnavailableError if one does not respond.
   */
  assert(options?: {
    readonly maxAgeMs?: number;
    readonly glance?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

export interface StoreIdReader {
  /**
   * Returns the store's ID, which equals the database's when that was last read. A statement that writes a record must compare it again
   * (ReportCompletion.storeId). Rejects as StoreIdentity.assert.
   */
  readId(options?: { readonly signal?: AbortSignal }): Promise<string>;
}

export const storeStates = ["ok", "mismatch", "unavailable"] as const;
export type StoreState = (typeof storeStates)[number];

/** The database's knowledge of the one store of its records. All methods reject with StoreUnavailableError. */
export interface StoreIdRecord {
  /** The ID that the store's marker must hold; null if no store was adopted. `adopted`: the ID was written to a store. */
  read(): Promise<{ readonly id: string; readonly adopted: boolean } | null>;
  namesFiles(): Promise<boolean>;
  /** Keys of active records, the latest first. */
  latestNamed(limit: number): Promise<readonly string[]>;
  /** Stores the ID as not adopted, unless there is one. */
  propose(id: string): Promise<void>;
  /**
   * Runs the work, then replaces the ID by `id`, adopted; if the work rejects, nothing changes. Other adoptions wait. Does nothing if an
   * ID other than `seen` was adopted meanwhile. Returns whether it did.
   */
  exchange(id: string, seen: string | null, work: () => Promise<void>): Promise<boolean>;
  /**
   * Runs the work with the ID unless that is adopted, then marks it as adopted. Other adoptions, in other processes too, wait, so
   * that two stores never get one ID. Returns whether the work ran.
   */
  adopt(work: (id: string) => Promise<void>): Promise<boolean>;
}
