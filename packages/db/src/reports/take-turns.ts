/** Entries that wait, in one queue per caller. */
export interface Turns<Entry> {
  readonly size: number;
  add(entry: Entry): void;
  /** Removes up to `atMost` entries: the first of each caller, then the second of each, and so on. No caller gets more than its `most`. */
  take(atMost: number): readonly Entry[];
}

export function takeTurns<Entry extends { readonly caller: string; readonly most: number }>(): Turns<Entry> {
  const queues = new Map<string, Entry[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(entry) {
      const queue = queues.get(entry.caller);
      if (queue === undefined) queues.set(entry.caller, [entry]);
      else queue.push(entry);
      size++;
    },
    take(atMost) {
      const taken: Entry[] = [];
      for (let turn = 0, before = -1; taken.length > before && taken.length < atMost; turn++) {
        before = taken.length;
        for (const queue of queues.values()) {
          const entry = queue[turn];
          if (entry !== undefined && turn < entry.most && taken.length < atMost) taken.push(entry);
        }
      }
      // Callers with entries in this batch come last in the next one.
      const counts = Map.groupBy(taken, ({ caller }) => caller);
      for (const [caller, served] of counts) {
        const rest = queues.get(caller)!.slice(served.length);
        queues.delete(caller);
        if (rest.length > 0) queues.set(caller, rest);
      }
      size -= taken.length;
      return taken;
    },
  };
}
