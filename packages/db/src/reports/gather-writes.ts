import { takeTurns, type Turns } from "./take-turns.ts";

/** How long in ms an item waits for an earlier write. */
const waitMs = 20;

/** Nothing was written because of these items. The list is empty if it is unknown which items prevented it. */
export interface NotTogether<Item> {
  readonly because: readonly Item[];
}

export interface Writers<Item, Result> {
  /** Writes several items in one transaction, all or none. */
  together(items: readonly Item[]): Promise<readonly Result[] | NotTogether<Item>>;
  alone(item: Item): Promise<Result>;
}

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
}

/**
 * Returns a function that writes an item immediately if no other is in progress. Otherwise items wait for up to 20 ms and are written
 * together, at most `atMost` of all callers and `most` of each. If a write together fails because of some items, these are written apart, and
 * so are all further items of their callers until these are written. docs/decisions/0088-starts-of-all-callers-are-written-together.md.
 */
export function gatherWrites<Item, Result>(
  { together, alone }: Writers<Item, Result>,
  atMost: number,
): (caller: string, item: Item, most: number) => Promise<Result> {
  type Entry = Waiting<Item, Result>;
  const open = (caller: string | null): Group<Item, Result> => ({
    caller,
    waiting: takeTurns(),
    failed: 0,
    latest: null,
    timer: undefined,
  });
  const shared = open(null);
  const apart = new Map<string, Group<Item, Result>>();

  function add(group: Group<Item, Result>, entry: Entry): void {
    group.waiting.add(entry);
    if (group.latest !== null) group.timer ??= setTimeout(() => write(group), waitMs);
    // Waits for the end of the event loop's turn, so that other items of that turn are written together with this one.
    else if (group.waiting.size === 1) setImmediate(() => write(group));
  }

  function write(group: Group<Item, Result>): void {
    clearTimeout(group.timer);
    group.timer = undefined;
    const taken = group.waiting.take(atMost);
    if (taken.length === 0) return;
    const batch = Symbol("batch");
    group.latest = batch;
    if (group.waiting.size > 0) group.timer = setTimeout(() => write(group), waitMs);
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
      const written = await together(taken.map(({ item }) => item));
      if (!("because" in written)) {
        for (const [index, { resolve }] of taken.entries()) resolve(written[index]!);
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
