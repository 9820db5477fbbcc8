import type { StoreNotes } from "../store-notes.ts";

/** The note that proves that the store is writable; it stays, so that nothing has to be removed. */
const proofKey = "write-check";

/** Resolves if a write succeeds. Not for probes: versioned buckets keep every version. Rejects with StoreUnavailableError. */
export async function proveWritable(store: Pick<StoreNotes, "writeNote">, signal?: AbortSignal): Promise<void> {
  await store.writeNote(proofKey, "This store could be written to.", signal === undefined ? {} : { signal });
}
