import { StoreMismatchError, type FileStore, type IdMaker, type StoreIdRepository } from "@reports/core/base";
import type { StoreNotes } from "../store-notes.ts";
import { storeIdKey } from "./store-identity.ts";

export interface StoreAdoptionDeps {
  readonly store: Pick<FileStore, "list" | "stat"> & StoreNotes;
  readonly record: StoreIdRepository;
  readonly newId: IdMaker;
}

/**
 * Adopts an empty store for a new deployment, or finishes an interrupted adoption. Does nothing if a record names a file or if the store has files.
 * Concurrent processes create only one ID. Returns true if this call adopted the store. Rejects with StoreUnavailableError.
 */
export async function adoptEmptyStore(deps: StoreAdoptionDeps, signal?: AbortSignal): Promise<boolean> {
  const { store, record } = deps;
  const options = signal === undefined ? {} : { signal };
  const known = await record.read();
  if (known?.adopted === true) return false;
  if (known !== null && (await store.readNote(storeIdKey, options)) === known.id) {
    // The store already has the ID. Only the end of the adoption is missing in the database.
    return record.adopt(async () => undefined);
  }
  if (await record.namesFiles()) return false;
  await store.create(options);
  if (!(await isStoreEmpty(store, signal))) return false;
  await record.propose(deps.newId());
  return record.adopt(async (id) => {
    // Both conditions are checked again, because another adoption may have ended before this one got the lock.
    if ((await record.namesFiles()) || !(await isStoreEmpty(store, signal))) {
      throw new StoreMismatchError("The file store or the database was put to use while the store was being adopted.");
    }
    await store.writeNote(storeIdKey, id, options);
  });
}

export type StoreAdoptionOutcome =
  | { readonly kind: "adopted" }
  /** Store and database already had the same ID. */
  | { readonly kind: "known" }
  /** Another store was adopted during the check, so nothing was changed. */
  | { readonly kind: "overtaken" }
  /** The store has the ID of another database, and `force` is false, so nothing was changed. */
  | { readonly kind: "foreign" }
  /** None of the sampled files that records name is in the store, and `force` is false, so nothing was changed. */
  | { readonly kind: "no-files"; readonly sampled: number };

const maxSampledRecords = 100;

/**
 * Adopts this store for the database because an operator says so. Both get a new ID, so that the previous store no longer belongs to the
 * database. Creates a missing folder or bucket. With `force`, also adopts a store with the ID of another database, or without the files of the
 * records. If it rejects with StoreUnavailableError, the database keeps the previous store.
 */
export async function adoptStore(
  deps: StoreAdoptionDeps,
  { force, signal }: { readonly force: boolean; readonly signal?: AbortSignal },
): Promise<StoreAdoptionOutcome> {
  const { store, record } = deps;
  const options = signal === undefined ? {} : { signal };
  const [known, storeId] = await Promise.all([record.read(), store.readNote(storeIdKey, options)]);
  if (known !== null && storeId === known.id) {
    await record.adopt(async () => undefined);
    return { kind: "known" };
  }
  if (!force) {
    if (storeId !== null) return { kind: "foreign" };
    const keys = await record.latestNamed(maxSampledRecords);
    if (keys.length > 0 && (await countStoredFiles(store, keys, signal)) === 0) {
      return { kind: "no-files", sampled: keys.length };
    }
  }
  await store.create(options);
  const id = deps.newId();
  // The database records the new ID only after the store has it.
  const done = await record.exchange(id, known?.id ?? null, async () => store.writeNote(storeIdKey, id, options));
  return { kind: done ? "adopted" : "overtaken" };
}

/**
 * The store IDs in the store and in the database. Also, how many of the latest files that records name were looked up (`sampled`), and how many of
 * these are in the store (`found`).
 */
export interface StoreIdComparison {
  readonly database: { readonly id: string; readonly adopted: boolean } | null;
  readonly store: string | null;
  readonly sampled: number;
  readonly found: number;
}

/** Compares the IDs of store and database, and changes nothing. Rejects with StoreUnavailableError if one of them is unavailable. */
export async function compareStoreIds(
  { store, record }: Pick<StoreAdoptionDeps, "store" | "record">,
  signal?: AbortSignal,
): Promise<StoreIdComparison> {
  const options = signal === undefined ? {} : { signal };
  const [database, storeId, keys] = await Promise.all([
    record.read(),
    store.readNote(storeIdKey, options),
    record.latestNamed(maxSampledRecords),
  ]);
  return { database, store: storeId, sampled: keys.length, found: await countStoredFiles(store, keys, signal) };
}

async function isStoreEmpty(store: Pick<FileStore, "list">, signal: AbortSignal | undefined): Promise<boolean> {
  const files = store.list("", signal === undefined ? {} : { signal })[Symbol.asyncIterator]();
  try {
    return (await files.next()).done === true;
  } finally {
    await files.return?.();
  }
}

async function countStoredFiles(
  store: Pick<FileStore, "stat">,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  for (const key of keys) if ((await store.stat(key, signal === undefined ? {} : { signal })) !== null) count += 1;
  return count;
}
