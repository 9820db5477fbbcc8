export interface FairQueue<Entry> {
  readonly size: number;
  add(entry: Entry): void;
  /**
   * Removes up to `atMost` entries: first one per caller, then a second one per caller, and so on. Removes an entry only if at most `entry.most`
   * entries of its caller are then removed.
   */
  take(atMost: number): readonly Entry[];
}

export function createFairQueue<Entry extends { readonly caller: string; readonly most: number }>(): FairQueue<Entry> {
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
      const counts = new Map<string, number>();
      for (let turn = 0, before = -1; taken.length > before && taken.length < atMost; turn++) {
        before = taken.length;
        for (const [caller, queue] of queues) {
          const entry = queue[turn];
          if (entry === undefined || turn >= entry.most || taken.length >= atMost) continue;
          // If an entry must wait because of its `most`, later entries of its caller wait too, even if their own `most` is higher.
          if ((counts.get(caller) ?? 0) < turn) continue;
          taken.push(entry);
          counts.set(caller, turn + 1);
        }
      }
      // Callers with entries in this batch come last in the next one.
      for (const [caller, served] of counts) {
        const rest = queues.get(caller)!.slice(served);
        queues.delete(caller);
        if (rest.length > 0) queues.set(caller, rest);
      }
      size -= taken.length;
      return taken;
    },
  };
}
