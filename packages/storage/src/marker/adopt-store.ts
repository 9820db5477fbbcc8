import { StoreMismatchError, type FileStore, type IdMaker, type StoreMarkerRecord } from "@reports/core/base";
import type { StoreNotes } from "../store-notes.ts";
import { markerKey } from "./store-identity.ts";

/** What an adoption works on. */
export interface AdoptionDeps {
  readonly store: Pick<FileStore, "list" | "stat"> & StoreNotes;
  readonly record: StoreMarkerRecord;
  readonly newId: IdMaker;
}

/**
 * Gives a new deployment its store without a person: only while no living record names a file and the store lists nothing, and also when
 * an adoption was cut short between the database and the store. Any number of processes may do it at once; one id comes out of it. In
 * every other case it does nothing. Says whether it did. Rejects with StoreUnavailableError.
 */
export async function adoptEmptyStore(deps: AdoptionDeps, signal?: AbortSignal): Promise<boolean> {
  const { store, record } = deps;
  const options = signal === undefined ? {} : { signal };
  const known = await record.read();
  if (known?.adopted === true) return false;
  if (known !== null && (await store.readNote(markerKey, options)) === known.id) {
    // Only the last step was missing: that the database knows that it was done.
    return record.adopt(async () => undefined);
  }
  if (await record.namesFiles()) return false;
  await store.create(options);
  if (!(await listsNothing(store, signal))) return false;
  await record.propose(deps.newId());
  return record.adopt(async (id) => {
    // Looked at again: every other adoption waits now, and one may have ended since.
    if ((await record.namesFiles()) || !(await listsNothing(store, signal))) {
      throw new StoreMismatchError("The file store or the database was put to use while the store was being adopted.");
    }
    await store.writeNote(markerKey, id, options);
  });
}

/** What `store-marker adopt` found and did. */
export type AdoptionOutcome =
  | { readonly kind: "adopted" }
  /** They belonged together already. */
  | { readonly kind: "known" }
  /** Another store was adopted while this one was being checked; nothing was changed. */
  | { readonly kind: "overtaken" }
  /** The store carries the marker of another database, and nobody insisted. */
  | { readonly kind: "foreign" }
  /** Records name files, none of those looked for is in the store, and nobody insisted. */
  | { readonly kind: "no-files"; readonly lookedFor: number };

/** Of named files, how many are looked for before a store is adopted. */
const sample = 100;

/**
 * Makes the store that is seen the one of the database, as a person has decided: it gets a new id in both, so that whatever store
 * belonged to the database before does so no longer. Makes the folder or bucket where it is missing. Rejects with StoreUnavailableError;
 * the database has the store from before then.
 * @param force adopt a store that carries another database's marker, or none of the files that the records name.
 */
export async function adoptStore(
  deps: AdoptionDeps,
  { force, signal }: { readonly force: boolean; readonly signal?: AbortSignal },
): Promise<AdoptionOutcome> {
  const { store, record } = deps;
  const options = signal === undefined ? {} : { signal };
  const [known, marker] = await Promise.all([record.read(), store.readNote(markerKey, options)]);
  if (known !== null && marker === known.id) {
    await record.adopt(async () => undefined);
    return { kind: "known" };
  }
  if (!force) {
    if (marker !== null) return { kind: "foreign" };
    const keys = await record.latestNamed(sample);
    if (keys.length > 0 && (await countStored(store, keys, signal)) === 0) {
      return { kind: "no-files", lookedFor: keys.length };
    }
  }
  await store.create(options);
  const id = deps.newId();
  // The database keeps the store that it has until the new one has taken the id.
  const done = await record.exchange(id, known?.id ?? null, async () => store.writeNote(markerKey, id, options));
  return { kind: done ? "adopted" : "overtaken" };
}

/** What a person is shown of the two: whether they belong together, and how many of the files that records name last are in the store. */
export interface MarkerReport {
  readonly database: { readonly id: string; readonly adopted: boolean } | null;
  readonly store: string | null;
  readonly lookedFor: number;
  readonly found: number;
}

/** Looks at both sides and changes nothing. Rejects with StoreUnavailableError. */
export async function describeMarker(
  { store, record }: Pick<AdoptionDeps, "store" | "record">,
  signal?: AbortSignal,
): Promise<MarkerReport> {
  const options = signal === undefined ? {} : { signal };
  const [database, marker, keys] = await Promise.all([
    record.read(),
    store.readNote(markerKey, options),
    record.latestNamed(sample),
  ]);
  return { database, store: marker, lookedFor: keys.length, found: await countStored(store, keys, signal) };
}

async function listsNothing(store: Pick<FileStore, "list">, signal: AbortSignal | undefined): Promise<boolean> {
  const files = store.list("", signal === undefined ? {} : { signal })[Symbol.asyncIterator]();
  try {
    return (await files.next()).done === true;
  } finally {
    await files.return?.();
  }
}

async function countStored(
  store: Pick<FileStore, "stat">,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  for (const key of keys) if ((await store.stat(key, signal === undefined ? {} : { signal })) !== null) count += 1;
  return count;
}
