import type { StoreNotes } from "../store-notes.ts";

/** Key of the note that the check writes. The note stays in the store, so that the check needs no removal, which could fail. */
const writeCheckKey = "write-check";

/**
 * Checks that the store accepts a write. Rejects with StoreUnavailableError. It is too expensive for health probes, because some buckets keep every
 * version of the note.
 */
export async function assertStoreWritable(store: Pick<StoreNotes, "writeNote">, signal?: AbortSignal): Promise<void> {
  await store.writeNote(writeCheckKey, "This store could be written to.", signal === undefined ? {} : { signal });
}
