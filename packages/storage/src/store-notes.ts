/**
 * Short texts under fixed keys outside the report files: the store's marker, and the proof of writes. Unlike files they are overwritten.
 * All methods reject with StoreUnavailableError, and RangeError for a bad key.
 */
export interface StoreNotes {
  /**
   * The first 256 bytes of the text; null if it, or its folder or bucket, is missing. With `known` it is not read again while the file
   * system reports the same file, which network clients may do for a while.
   */
  readNote(key: string, options?: { known?: boolean; signal?: AbortSignal }): Promise<string | null>;
  /** Replaces the text atomically. Creates neither folder nor bucket. */
  writeNote(key: string, text: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Creates a missing folder or bucket, as part of an adoption. */
  create(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Longer than any of our notes. */
export const maxNoteBytes = 256;
