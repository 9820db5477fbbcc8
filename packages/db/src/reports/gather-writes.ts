/** How long in ms an item waits for an earlier write of its key. */
const waitMs = 20;

export interface Writers<Item, Result> {
  /** Writes several items of one key in one transaction. Returns null if it wrote nothing; each item is then written alone. */
  together(items: readonly Item[]): Promise<readonly Result[] | null>;
  alone(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  waiting: Waiting<Item, Result>[];
  writing: number;
  timer: NodeJS.Timeout | undefined;
}

/** Returns a function that writes an item immediately if no other of its key is in progress. Otherwise items wait for up to 20 ms and are written together. */
export function gatherWrites<Item, Result>(
  writers: Writers<Item, Result>,
): (key: string, item: Item, maxItems: number) => Promise<Result> {
  const groups = new Map<string, Group<Item, Result>>();

  function write(key: string, group: Group<Item, Result>): void {
    clearTimeout(group.timer);
    group.timer = undefined;
    const taken = group.waiting;
    if (taken.length === 0) return;
    group.waiting = [];
    group.writing++;
    void writeAll(writers, taken).finally(() => {
      group.writing--;
      if (group.waiting.length > 0) write(key, group);
      else if (group.writing === 0) groups.delete(key);
    });
  }

  return async (key, item, maxItems) => {
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { waiting: [], writing: 0, timer: undefined }));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const own = group;
    own.waiting.push({ item, resolve, reject });
    if (own.waiting.length >= maxItems) write(key, own);
    else if (own.writing > 0) own.timer ??= setTimeout(() => write(key, own), waitMs);
    // Waits for the end of the event loop's turn, so that other items of that turn are written together with this one.
    else if (own.waiting.length === 1) setImmediate(() => write(key, own));
    return promise;
  };
}

/** Writes the items and settles the promise of each one. Never rejects. Resolves when all are written. */
async function writeAll<Item, Result>(
  { together, alone }: Writers<Item, Result>,
  taken: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = taken.length === 1 ? null : await together(taken.map(({ item }) => item));
    if (results === null)
      await Promise.all(taken.map(async ({ item, resolve, reject }) => alone(item).then(resolve, reject)));
    else for (const [index, { resolve }] of taken.entries()) resolve(results[index]!);
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}
