/**
 * Short texts under fixed keys outside the report files: the store's marker, and the proof that it can be written to. Unlike files they
 * are overwritten. All methods reject with StoreUnavailableError when the store does not answer in time, and with RangeError on a bad key.
 */
export interface StoreNotes {
  /**
   * The text, of which the first 256 bytes; null when there is none, or no folder or bucket that could hold it. With `known` it need not be
   * read again while the file system says that it is the file that was read: clients of network file systems may say so for a while.
   */
  readNote(key: string, options?: { known?: boolean; signal?: AbortSignal }): Promise<string | null>;
  /** Replaces the text whole; whoever reads meanwhile gets the one or the other. Makes neither the folder nor the bucket. */
  writeNote(key: string, text: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Makes the folder or the bucket where it is missing. The one method that does: it belongs to the adoption of a store. */
  create(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Of a note, more than any of ours has. */
export const maxNoteBytes = 256;
