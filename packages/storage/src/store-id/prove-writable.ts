import type { StoreNotes } from "../store-notes.ts";

/** Key of the note that is written as a check. The note stays in the store, so that no removal can fail. */
const writeCheckKey = "write-check";

/** Checks that the store accepts a write. Rejects with StoreUnavailableError. Too expensive for probes: buckets may keep all versions. */
export async function proveWritable(store: Pick<StoreNotes, "writeNote">, signal?: AbortSignal): Promise<void> {
  await store.writeNote(writeCheckKey, "This store could be written to.", signal === undefined ? {} : { signal });
}
