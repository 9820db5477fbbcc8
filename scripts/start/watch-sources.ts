import { existsSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";

const settleMs = 200;

/** Calls back when a source of the app, or of a package, has changed; once for changes that come together. */
export function watchSources(root: string, app: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const folders = [
    join(root, "apps", app, "src"),
    ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "src")),
  ];
  const watchers = folders.filter(existsSync).map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      if (file === null || !/(?<!\.test)\.(ts|json|sql)$/.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
