import { StoreUnavailableError } from "@reports/core/base";
import { codeOf } from "../database/store-error.ts";
import { takeTurns, type Turns } from "./take-turns.ts";

/** Nothing was written because of these items. The list is empty if it is unknown which items prevented it. */
export interface NotTogether<Item> {
  readonly because: readonly Item[];
}

/** Writes several items in one transaction. Returns a result per item; null if the item was not written and must be written alone. */
export type Together<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly (Result | null)[] | NotTogether<Item>>;

export interface Writers<Item, Result> {
  readonly together: Together<Item, Result>;
  alone(item: Item): Promise<Result>;
}

export interface GatherPolicy {
  /** Maximum number of items per transaction. */
  readonly atMost: number;
  /** Returns how long in ms items wait for further ones, after each new item. 0 writes them at the end of the event loop's turn. */
  readonly waitMs: (state: { readonly isWriting: boolean; readonly waiting: number }) => number;
}

/** SQLSTATEs of a transaction that deadlocked or waited too long for a lock. It was rolled back, and the database works. */
const lockStates = new Set(["40001", "40P01", "55P03"]);

interface Waiting<Item, Result> {
  readonly caller: string;
  readonly most: number;
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  /** Null: the group of all callers. Otherwise the group of this caller, whose items could not be written together with those of others. */
  readonly caller: string | null;
  readonly waiting: Turns<Waiting<Item, Result>>;
  /** Number of items that could not be written with those of others and are not yet written. Until it is 0, further items of the caller join the group. */
  failed: number;
  /** The batch that began last, unless it has ended. New items wait for no other, so that one that is stuck delays nobody. */
  latest: symbol | null;
  timer: NodeJS.Timeout | undefined;
  immediate: NodeJS.Immediate | undefined;
}

/**
 * Returns a function that collects items as `policy` says and writes them together, at most `atMost` of all callers and `most` of each. If a write
 * together fails because of some items, these are written apart, and so are all further items of their callers until these are written.
 * docs/decisions/0088-starts-of-all-callers-are-written-together.md.
 */
export function gatherWrites<Item, Result>(
  { together, alone }: Writers<Item, Result>,
  { atMost, waitMs }: GatherPolicy,
): (caller: string, item: Item, most: number) => Promise<Result> {
  type Entry = Waiting<Item, Result>;
  const open = (caller: string | null): Group<Item, Result> => ({
    caller,
    waiting: takeTurns(),
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
    // Waits for the end of the event loop's turn, so that other items of that turn are written together with this one.
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

  /** Writes the items and settles the promise of each one, or moves them to the group of their caller. Never rejects. */
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

  /** Returns the item so that further items of its caller join the group until it is written. */
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

/** Rejects if Postgres is unavailable, because single writes would fail as well. Any other error may concern only one item, so each is written apart. */
function findUnwritten(error: unknown): NotTogether<never> {
  if (error instanceof StoreUnavailableError && !lockStates.has(codeOf(error) ?? "")) throw error;
  return { because: [] };
}
