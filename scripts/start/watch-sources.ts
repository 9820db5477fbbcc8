import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const watchedFile = /(?<!\.test)\.(?:tsx?|json|sql|css|svg)$/;

/** Clocks of the watch. */
export interface WatchTimes {
  /** Between two comparisons. */
  readonly intervalMs: number;
  /** Many files are changed by one checkout: they are reported once none has changed for this long. */
  readonly settleMs: number;
}

/** Path below the root → what changes with every change of the file. */
type Snapshot = ReadonlyMap<string, string>;

/**
 * Calls back with the changed sources of apps and packages (paths below the root, with slashes); once for changes that come together.
 * The files are compared with what they were, instead of listening for events: those follow the file that a rename has replaced, miss
 * what is in a new folder before it is watched, and do not pass into containers.
 * What has changed before the call counts as known.
 */
export function watchSources(
  root: string,
  onChange: (files: readonly string[]) => void,
  { intervalMs, settleMs }: WatchTimes = { intervalMs: 500, settleMs: 100 },
): () => void {
  let known = takeSnapshot(root);
  let changed = new Set<string>();
  let timer = setTimeout(look, intervalMs);
  function look(): void {
    const current = takeSnapshot(root);
    const differing = difference(known, current);
    known = current;
    for (const file of differing) changed.add(file);
    timer = setTimeout(look, differing.length > 0 ? settleMs : intervalMs);
    if (differing.length > 0 || changed.size === 0) return;
    const files = [...changed].toSorted();
    changed = new Set();
    onChange(files);
  }
  return () => clearTimeout(timer);
}

function takeSnapshot(root: string): Snapshot {
  const snapshot = new Map<string, string>();
  for (const group of ["apps", "packages"]) {
    for (const name of namesIn(join(root, group))) {
      for (const folder of ["src", "migrations"]) addFolder(snapshot, root, `${group}/${name}/${folder}`);
    }
  }
  return snapshot;
}

function addFolder(snapshot: Map<string, string>, root: string, folder: string): void {
  for (const name of namesIn(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (watchedFile.test(name)) {
      const stats = statSync(join(root, path), { throwIfNoEntry: false });
      // The time of the last change of the file itself: unlike that of its content, no tool sets it back.
      if (stats?.isFile()) snapshot.set(path, `${stats.ctimeMs} ${stats.size} ${stats.ino}`);
    } else if (!name.includes(".")) addFolder(snapshot, root, path);
  }
}

/** Empty for what is no folder, or is none any more. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function difference(before: Snapshot, after: Snapshot): readonly string[] {
  const files = new Set([...before.keys(), ...after.keys()]);
  return [...files].filter((file) => before.get(file) !== after.get(file));
}
