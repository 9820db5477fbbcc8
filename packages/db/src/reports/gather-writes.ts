/** How long one waits for what is being written before it. */
const waitMs = 20;

/** How items are written. */
export interface Writers<Item, Result> {
  /** Several of one key in one transaction; gives what came of each, or null where nothing was written and each is to be written alone. */
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
  /** Writes under way. */
  writing: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Gathers the items of a key that come while one of it is being written, to be written together: `most` of them, and for no longer than a moment,
 * so that one that does not end keeps nobody. An item that comes alone is written at once.
 */
export function gatherWrites<Item, Result>(
  writers: Writers<Item, Result>,
): (key: string, item: Item, most: number) => Promise<Result> {
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

  return async (key, item, most) => {
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { waiting: [], writing: 0, timer: undefined }));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const own = group;
    own.waiting.push({ item, resolve, reject });
    if (own.waiting.length >= most) write(key, own);
    else if (own.writing > 0) own.timer ??= setTimeout(() => write(key, own), waitMs);
    // What comes in the same turn of the event loop goes with it.
    else if (own.waiting.length === 1) setImmediate(() => write(key, own));
    return promise;
  };
}

/** Never rejects: each is told of its own. Resolves when all are written. */
async function writeAll<Item, Result>(
  { together, alone }: Writers<Item, Result>,
  taken: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = taken.length === 1 ? null : await together(taken.map(({ item }) => item));
    if (results === null)
      await Promise.all(taken.map(async ({ item, resolve, reject }) => alone(item).then(resolve, reject)));
    else for (const [place, { resolve }] of taken.entries()) resolve(results[place]!);
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}
