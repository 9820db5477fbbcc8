import type { StoreNotes } from "../store-notes.ts";

/** Of the one note that is written to see whether the store takes it; it stays, so that nothing has to be removed. */
const proofKey = "write-check";

/**
 * Resolves when the store can be written to, by writing: for a process's start, not for probes, because a versioned bucket keeps every
 * version. Rejects with StoreUnavailableError.
 */
export async function proveWritable(store: Pick<StoreNotes, "writeNote">, signal?: AbortSignal): Promise<void> {
  await store.writeNote(proofKey, "This store could be written to.", signal === undefined ? {} : { signal });
}
