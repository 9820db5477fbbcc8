import type { StoreNotes } from "../store-notes.ts";

/** Key of the note that the check writes. The note stays in the store, so that the check needs no removal, which could fail. */
const writeCheckKey = "write-check";

/**
 * Checks that the store accepts a write. Rejects with StoreUnavailableError. Too expensive for health probes, because buckets may keep all
 * versions.
 */
export async function assertStoreWritable(store: Pick<StoreNotes, "writeNote">, signal?: AbortSignal): Promise<void> {
  await store.writeNote(writeCheckKey, "This store could be written to.", signal === undefined ? {} : { signal });
}
