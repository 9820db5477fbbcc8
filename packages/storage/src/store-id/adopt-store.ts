import { StoreMismatchError, type FileStore, type IdMaker, type StoreIdRecord } from "@reports/core/base";
import type { StoreNotes } from "../store-notes.ts";
import { storeIdKey } from "./store-identity.ts";

export interface AdoptionDeps {
  readonly store: Pick<FileStore, "list" | "stat"> & StoreNotes;
  readonly record: StoreIdRecord;
  readonly newId: IdMaker;
}

/**
 * Adopts an empty store for a new deployment: only if no active record names a file and the store is empty, or to finish an interrupted
 * adoption. Concurrent processes produce one ID. Otherwise it does nothing. Returns whether it did. Rejects with StoreUnavailableError.
 */
export async function adoptEmptyStore(deps: AdoptionDeps, signal?: AbortSignal): Promise<boolean> {
  const { store, record } = deps;
  const options = signal === undefined ? {} : { signal };
  const known = await record.read();
  if (known?.adopted === true) return false;
  if (known !== null && (await store.readNote(storeIdKey, options)) === known.id) {
    // Only the database's note of the adoption was missing.
    return record.adopt(async () => undefined);
  }
  if (await record.namesFiles()) return false;
  await store.create(options);
  if (!(await listsNothing(store, signal))) return false;
  await record.propose(deps.newId());
  return record.adopt(async (id) => {
    // Checked again: other adoptions wait now, but one may have ended since.
    if ((await record.namesFiles()) || !(await listsNothing(store, signal))) {
      throw new StoreMismatchError("The file store or the database was put to use while the store was being adopted.");
    }
    await store.writeNote(storeIdKey, id, options);
  });
}

export type AdoptionOutcome =
  | { readonly kind: "adopted" }
  /** They belonged together already. */
  | { readonly kind: "known" }
  /** Another store was adopted during the check; nothing was changed. */
  | { readonly kind: "overtaken" }
  /** The store has the ID of another database, without `force`. */
  | { readonly kind: "foreign" }
  /** None of the sampled files of the records is in the store, without `force`. */
  | { readonly kind: "no-files"; readonly sampled: number };

const sample = 100;

/**
 * Makes this store the database's by a person's decision: both get a new ID, so that no earlier store belongs to it. Creates a missing
 * folder or bucket. `force` adopts a store with the ID of another database, or without the records' files. Rejects with
 * StoreUnavailableError; the database then keeps the earlier store.
 */
export async function adoptStore(
  deps: AdoptionDeps,
  { force, signal }: { readonly force: boolean; readonly signal?: AbortSignal },
): Promise<AdoptionOutcome> {
  const { store, record } = deps;
  const options = signal === undefined ? {} : { signal };
  const [known, storeId] = await Promise.all([record.read(), store.readNote(storeIdKey, options)]);
  if (known !== null && storeId === known.id) {
    await record.adopt(async () => undefined);
    return { kind: "known" };
  }
  if (!force) {
    if (storeId !== null) return { kind: "foreign" };
    const keys = await record.latestNamed(sample);
    if (keys.length > 0 && (await countStored(store, keys, signal)) === 0) {
      return { kind: "no-files", sampled: keys.length };
    }
  }
  await store.create(options);
  const id = deps.newId();
  // The database keeps its store until the new one has the ID.
  const done = await record.exchange(id, known?.id ?? null, async () => store.writeNote(storeIdKey, id, options));
  return { kind: done ? "adopted" : "overtaken" };
}

/** Whether store and database belong together, and how many of the records' latest files the store has. */
export interface StoreIdReport {
  readonly database: { readonly id: string; readonly adopted: boolean } | null;
  readonly store: string | null;
  readonly sampled: number;
  readonly found: number;
}

/** Changes nothing. Rejects with StoreUnavailableError. */
export async function describeStoreId(
  { store, record }: Pick<AdoptionDeps, "store" | "record">,
  signal?: AbortSignal,
): Promise<StoreIdReport> {
  const options = signal === undefined ? {} : { signal };
  const [database, storeId, keys] = await Promise.all([
    record.read(),
    store.readNote(storeIdKey, options),
    record.latestNamed(sample),
  ]);
  return { database, store: storeId, sampled: keys.length, found: await countStored(store, keys, signal) };
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
