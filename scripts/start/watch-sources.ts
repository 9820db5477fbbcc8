import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const watchedFile = /(?<!\.test)\.(?:tsx?|json|sql|css|svg)$/;

export interface SourceWatchTimes {
  readonly intervalMs: number;
  /** Changes are reported after this many ms without another change. A `git checkout` changes many files, and is reported once. */
  readonly quietMs: number;
}

type Snapshot = ReadonlyMap<string, string>;

/** Reports the paths of changed sources. Compares files regularly, because file events miss renames, new folders and changes in containers. */
export function watchSources(
  root: string,
  onChange: (files: readonly string[]) => void,
  { intervalMs, quietMs }: SourceWatchTimes = { intervalMs: 500, quietMs: 100 },
): () => void {
  let known = takeSnapshot(root);
  let changed = new Set<string>();
  let timer = setTimeout(compare, intervalMs);
  function compare(): void {
    const current = takeSnapshot(root);
    const differing = difference(known, current);
    known = current;
    for (const file of differing) changed.add(file);
    timer = setTimeout(compare, differing.length > 0 ? quietMs : intervalMs);
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
      // Uses ctime because tools can set mtime to an old time.
      if (stats?.isFile()) snapshot.set(path, `${stats.ctimeMs} ${stats.size} ${stats.ino}`);
    } else if (!name.includes(".")) addFolder(snapshot, root, path);
  }
}

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
