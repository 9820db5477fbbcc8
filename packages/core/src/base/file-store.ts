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

/** What a FileStore knows about a file. */
export interface FileStat {
  readonly key: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
  /** Which of the files that ever stood under the key this is: the store's entity tag, or when the file was written. Another one is another file. */
  readonly version: string;
  /** Lower-case hex, of the whole file, where the store has checked the bytes against it when they were stored and keeps it; else null. */
  readonly sha256: string | null;
}

/** A finished local file that is to be stored. */
export interface PutFile {
  /** Relative, `/`-separated, characters `[A-Za-z0-9._-]`, no empty, `.` or `..` part. */
  readonly key: string;
  /** The finished file, whose bytes are on the disk; the store takes it over, so that it is gone from there after a put that succeeded. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly contentType: string;
  readonly signal?: AbortSignal;
}

/**
 * Where finished files live. All methods reject with StoreUnavailableError when the store does not answer in time.
 * A put that failed or was aborted leaves nothing visible under its key; keys are written once.
 */
export interface FileStore {
  /** Says what is stored now. Rejects with RangeError on a bad key, and with the signal's reason when aborted. */
  put(file: PutFile): Promise<FileStat>;
  /**
   * Opens the stored bytes, or a part of them. Settles only once the store has answered, so that a failure can still become an HTTP status.
   * The body's error event reports anything that breaks later; destroying it releases the connection. Rejects with FileNotFoundError.
   */
  open(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<{ stat: FileStat; body: Readable }>;
  /** Null when nothing is stored under the key. */
  stat(key: string, options?: { signal?: AbortSignal }): Promise<FileStat | null>;
  /** Removing what is not there is a success. */
  remove(key: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Every file whose key begins with the prefix, in no particular order, without holding all of them in memory. */
  list(prefix: string, options?: { signal?: AbortSignal }): AsyncIterable<FileStat>;
  /** Ends uploads under the prefix that began before `before` and were never finished; says how many. */
  abortStaleUploads(prefix: string, before: Date, options?: { signal?: AbortSignal }): Promise<number>;
  /** Resolves when the store is there and answers. Only looks: writes nothing and makes neither folder nor bucket. */
  check(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Tells whether the file store that this process sees is the one that the database's records speak of. */
export interface StoreIdentity {
  /**
   * Resolves when they belong together; what was found at most `maxAgeMs` ago (default 0: look now) counts too. For a glance the
   * database's answer may be a second old, and the marker is not read again while its file system says that it has not changed.
   * Rejects with StoreMismatchError when they do not, and with StoreUnavailableError when one of them cannot be asked.
   */
  assert(options?: {
    readonly maxAgeMs?: number;
    readonly glance?: boolean;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

/** Tells which file store this process sees. */
export interface StoreLook {
  /**
   * The id that stands in the store now, which is the one that the database had when it was last asked. Whoever writes a record by it has
   * the same statement compare it with the one that the database has by then (ReportCompletion.storeId). Rejects as StoreIdentity.assert.
   */
  look(options?: { readonly signal?: AbortSignal }): Promise<string>;
}

/** What is known of the file store: it is the one of the records, it is another one, or that cannot be found out now. */
export const storeStates = ["ok", "mismatch", "unavailable"] as const;
export type StoreState = (typeof storeStates)[number];

/** What the database knows of the one store that its records speak of. All methods reject with StoreUnavailableError. */
export interface StoreMarkerRecord {
  /** The id that the store's marker must hold; null when no store was ever adopted. `adopted`: it was written to a store. */
  read(): Promise<{ readonly id: string; readonly adopted: boolean } | null>;
  /** Whether a living record names a file. */
  namesFiles(): Promise<boolean>;
  /** Keys that living records name, the latest first. */
  latestNamed(limit: number): Promise<readonly string[]>;
  /** Keeps the id, not adopted yet, unless there is one. */
  propose(id: string): Promise<void>;
  /**
   * Runs the work, and puts the id, adopted, in the place of whatever is there once the work resolves; when it rejects everything stays
   * as it was. Other adoptions wait as for `adopt`. Does nothing when an id other than `seen` was adopted meanwhile. Says whether it did.
   */
  exchange(id: string, seen: string | null, work: () => Promise<void>): Promise<boolean>;
  /**
   * Runs the work with the id unless that was adopted already, and remembers that it was once the work resolves. Every other adoption
   * waits meanwhile, in other processes too, so that two stores do not get one id. Says whether the work was run.
   */
  adopt(work: (id: string) => Promise<void>): Promise<boolean>;
}
