import { StoreUnavailableError } from "@reports/core/base";
import { firstErrorCodeOf } from "../database/store-error.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";

/** The result of a transaction that wrote nothing. `because` lists the items that prevented it, or is empty if these are unknown. */
export interface UnwrittenBatch<Item> {
  readonly because: readonly Item[];
}

export type BatchWriter<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly (Result | null)[] | UnwrittenBatch<Item>>;

export interface BatchAndSingleWriters<Item, Result> {
  readonly together: BatchWriter<Item, Result>;
  alone(item: Item): Promise<Result>;
}

export interface WriteBatchPolicy {
  readonly atMost: number;
  /** Returns how long in ms the waiting items wait for more, after each new one. Zero writes them at the end of the event loop's turn. */
  readonly waitMs: (state: { readonly isWriting: boolean; readonly waiting: number }) => number;
}

/** SQLSTATEs of a serialization failure, a deadlock and a lock timeout. Postgres is available and has rolled the transaction back. */
const lockStates = new Set(["40001", "40P01", "55P03"]);

interface Waiting<Item, Result> {
  readonly caller: string;
  readonly most: number;
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  /** Null for the group of all callers. Otherwise the caller of a group whose items could not be written together with those of others. */
  readonly caller: string | null;
  readonly waiting: FairQueue<Waiting<Item, Result>>;
  /**
   * Number of the caller's items that failed in the group of all callers and are not yet written. Until it is 0, the caller's new items join this
   * separate group.
   */
  failed: number;
  /** The batch that began last, or null if it has ended. New items don't wait for earlier batches, so that a stuck one delays no others. */
  latest: symbol | null;
  timer: NodeJS.Timeout | undefined;
  immediate: NodeJS.Immediate | undefined;
}

/**
 * Returns a function that collects items and writes them together, at most `atMost` per batch and `most` per caller. If some items prevent a batch,
 * they are written alone, and later items of their callers form separate batches until then.
 * docs/decisions/0088-starts-of-all-callers-are-written-together.md gives the reasons.
 */
export function createWriteBatcher<Item, Result>(
  { together, alone }: BatchAndSingleWriters<Item, Result>,
  { atMost, waitMs }: WriteBatchPolicy,
): (caller: string, item: Item, most: number) => Promise<Result> {
  type Entry = Waiting<Item, Result>;
  const open = (caller: string | null): Group<Item, Result> => ({
    caller,
    waiting: createFairQueue(),
    failed: 0,
    latest: null,
    timer: undefined,
    immediate: undefined,
  });
  const shared = open(null);
  const apart = new Map<string, Group<Item, Result>>();

  function add(group: Group<Item, Result>, entry: Entry): void {
    group.waiting.add(entry);
    schedule(group);
  }

  function schedule(group: Group<Item, Result>): void {
    const ms = waitMs({ isWriting: group.latest !== null, waiting: group.waiting.size });
    if (ms > 0) group.timer ??= setTimeout(() => write(group), ms);
    else group.immediate ??= setImmediate(() => write(group));
  }

  function write(group: Group<Item, Result>): void {
    clearTimeout(group.timer);
    clearImmediate(group.immediate);
    [group.timer, group.immediate] = [undefined, undefined];
    const taken = group.waiting.take(atMost);
    if (taken.length === 0) return;
    const batch = Symbol("batch");
    group.latest = batch;
    if (group.waiting.size > 0) schedule(group);
    void writeAll(group, taken).then(() => {
      if (group.latest === batch) group.latest = null;
      write(group);
    });
  }

  /**
   * Writes the items together, and resolves or rejects the promise of each. If a shared batch fails as a whole, moves each item to the group of its
   * caller. Never rejects itself.
   */
  async function writeAll(group: Group<Item, Result>, taken: readonly Entry[]): Promise<void> {
    if (taken.length === 0) return;
    if (taken.length === 1) return writeAlone(taken[0]!);
    try {
      const written = await together(taken.map(({ item }) => item)).catch(findUnwritten);
      if (!("because" in written)) {
        const settle = async (entry: Entry, result: Result | null): Promise<void> =>
          result === null ? writeAlone(entry) : entry.resolve(result);
        await Promise.all(taken.map(async (entry, index) => settle(entry, written[index]!)));
        return;
      }
      const because = new Set(written.because);
      const [own, others] = [
        taken.filter(({ item }) => because.has(item)),
        taken.filter(({ item }) => !because.has(item)),
      ];
      if (group.caller !== null) {
        const retried = because.size === 0 ? others.map(writeAlone) : [writeAll(group, others)];
        await Promise.all([...own.map(writeAlone), ...retried]);
        return;
      }
      for (const entry of own) void writeAlone(keepApart(groupOf(entry.caller), entry));
      if (because.size > 0) return await writeAll(group, others);
      for (const entry of others) {
        const apartGroup = groupOf(entry.caller);
        add(apartGroup, keepApart(apartGroup, entry));
      }
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  function groupOf(caller: string): Group<Item, Result> {
    let own = apart.get(caller);
    if (own === undefined) apart.set(caller, (own = open(caller)));
    return own;
  }

  function keepApart(group: Group<Item, Result>, entry: Entry): Entry {
    group.failed++;
    const leave = (): void => {
      group.failed--;
      if (group.failed === 0) apart.delete(entry.caller);
    };
    return {
      ...entry,
      resolve: (result) => {
        leave();
        entry.resolve(result);
      },
      reject: (error) => {
        leave();
        entry.reject(error);
      },
    };
  }

  const writeAlone = async ({ item, resolve, reject }: Entry): Promise<void> => alone(item).then(resolve, reject);

  return async (caller, item, most) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    add(apart.get(caller) ?? shared, { caller, most, item, resolve, reject });
    return promise;
  };
}

/**
 * Throws the error if Postgres is unavailable, because single writes would fail too. Otherwise one item may be the cause, so each is written alone.
 */
function findUnwritten(error: unknown): UnwrittenBatch<never> {
  if (error instanceof StoreUnavailableError && !lockStates.has(firstErrorCodeOf(error) ?? "")) throw error;
  return { because: [] };
}
