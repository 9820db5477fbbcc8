import type { FileStat, FileStore } from "@reports/core/base";
import { assertStorageKey } from "./key.ts";
import type { StoreNotes } from "./store-notes.ts";

/** Returns a view of the store in which every key begins with the prefix. Throws RangeError if the prefix is not a valid key. */
export function withKeyPrefix(store: FileStore & StoreNotes, prefix: string): FileStore & StoreNotes {
  assertStorageKey(prefix);
  const below = (key: string): string => `${prefix}/${key}`;
  const without = (stat: FileStat): FileStat => ({ ...stat, key: stat.key.slice(prefix.length + 1) });
  return {
    put: async (file) => store.put({ ...file, key: below(file.key) }),
    open: async (key, options) => {
      const { stat, body } = await store.open(below(key), options);
      return { stat: without(stat), body };
    },
    stat: async (key, options) => {
      const stat = await store.stat(below(key), options);
      return stat === null ? null : without(stat);
    },
    remove: async (key, options) => store.remove(below(key), options),
    async *list(keyPrefix, options) {
      for await (const stat of store.list(below(keyPrefix), options)) yield without(stat);
    },
    abortStaleUploads: async (keyPrefix, before, options) => store.abortStaleUploads(below(keyPrefix), before, options),
    check: async (options) => store.check(options),
    readNote: async (key, options) => store.readNote(below(key), options),
    writeNote: async (key, text, options) => store.writeNote(below(key), text, options),
    create: async (options) => store.create(options),
  };
}
