/** Short texts under fixed keys, such as the store ID. Unlike files, they are overwritten. All methods reject with StoreUnavailableError. */
export interface StoreNotes {
  /**
   * Returns the first 256 bytes of a note, or null if the note, the folder or the bucket is missing. With `known`, a folder does not read the note
   * again while the note's file is the same. Network file systems may report an old file for a while.
   */
  readNote(key: string, options?: { known?: boolean; signal?: AbortSignal }): Promise<string | null>;
  /** Replaces the text atomically. Creates neither folder nor bucket. */
  writeNote(key: string, text: string, options?: { signal?: AbortSignal }): Promise<void>;
  /** Creates a missing folder or bucket. Only the adoption of a store calls it. */
  create(options?: { signal?: AbortSignal }): Promise<void>;
}

/** Maximum size of a note. All notes of the service are shorter. */
export const maxNoteBytes = 256;
