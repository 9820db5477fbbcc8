/** Flushes the entries of a folder to the disk, so that renames and removals in it survive a crash. */
export type FlushFolder = (path: string) => Promise<void>;

interface Flush {
  hasBegun: boolean;
  readonly ended: Promise<void>;
}

/**
 * Shares flushes of a folder among concurrent calls. A call shares only a flush that has not begun, because a running flush may miss the call's
 * change. One flush per folder runs at a time, so that all calls during it share the next one. `flush` calls `onBegin` before its first system
 * call.
 */
export function createSharedFolderFlush(flush: (path: string, onBegin: () => void) => Promise<void>): FlushFolder {
  const latest = new Map<string, Flush>();
  return async (path) => {
    const before = latest.get(path);
    if (before?.hasBegun === false) return before.ended;
    const run = async (): Promise<void> => {
      try {
        await flush(path, () => (own.hasBegun = true));
      } finally {
        own.hasBegun = true;
        if (latest.get(path) === own) latest.delete(path);
      }
    };
    const own: Flush = { hasBegun: false, ended: (before?.ended ?? Promise.resolve()).then(run, run) };
    latest.set(path, own);
    return own.ended;
  };
}
