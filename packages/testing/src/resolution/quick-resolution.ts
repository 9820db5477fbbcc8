import { existsSync, readFileSync } from "node:fs";
import type { ResolveHookSync } from "node:module";

const relativeSpecifier = /^\.\.?\/[\w./@+-]*\.(?:ts|js|mjs)$/;
const packageFolder = /^.*\/(?:node_modules\/(?:@[^/]+\/)?|apps\/|packages\/)[^/]+\//;

/**
 * Returns a hook that resolves imports within a folder as Node does, but in less processor time. Node looks for the package.json of every import
 * again. This hook keeps what it found.
 * @param root URL of the folder, with a slash at its end.
 */
export function createQuickResolution(root: string): ResolveHookSync {
  const formats = new Map<string, string | null>();
  const moduleFolders = new Map<string, boolean>();
  const packageFolders = new Map<string, string>();
  const packages = new Map<string, ReturnType<ResolveHookSync>>();

  /** Whether the nearest package.json has the type "module". */
  const hasModules = (folder: string): boolean => {
    let found = moduleFolders.get(folder);
    if (found === undefined) {
      const file = new URL("package.json", folder);
      found = existsSync(file)
        ? (JSON.parse(readFileSync(file, "utf8")) as { type?: string }).type === "module"
        : folder.startsWith(root) && hasModules(new URL("..", folder).href);
      moduleFolders.set(folder, found);
    }
    return found;
  };

  /** Returns null if the file is missing, or if its format depends on its contents. */
  const findFormat = (url: string): string | null => {
    let format = formats.get(url);
    if (format === undefined) {
      const isModule = existsSync(new URL(url)) && (url.endsWith(".mjs") || hasModules(getFolder(url)));
      format = isModule ? (url.endsWith(".ts") ? "module-typescript" : "module") : null;
      formats.set(url, format);
    }
    return format;
  };

  const findPackageFolder = (folder: string): string => {
    let found = packageFolders.get(folder);
    if (found === undefined) packageFolders.set(folder, (found = packageFolder.exec(folder)?.[0] ?? folder));
    return found;
  };

  return (specifier, context, next) => {
    const { parentURL } = context;
    if (parentURL?.startsWith(root) !== true || context.conditions.includes("require")) return next(specifier, context);
    if (specifier.startsWith("node:")) return { url: specifier, shortCircuit: true };
    if (relativeSpecifier.test(specifier)) {
      const url = joinUrl(getFolder(parentURL), specifier);
      const format = findFormat(url);
      return format === null ? next(specifier, context) : { url, format, shortCircuit: true };
    }
    if (/^[./]|\.json$/.test(specifier)) return next(specifier, context);
    const key = `${findPackageFolder(getFolder(parentURL))} ${specifier}`;
    let resolved = packages.get(key);
    if (resolved === undefined) packages.set(key, (resolved = { ...next(specifier, context), shortCircuit: true }));
    return resolved;
  };
}

function getFolder(url: string): string {
  return url.slice(0, url.lastIndexOf("/") + 1);
}

/** Does the same as `new URL`, in a fraction of its time. */
function joinUrl(folder: string, specifier: string): string {
  let base = folder;
  let rest = specifier;
  while (rest.startsWith(".")) {
    if (rest.startsWith("./")) rest = rest.slice(2);
    else if (rest.startsWith("../")) {
      rest = rest.slice(3);
      base = base.slice(0, base.lastIndexOf("/", base.length - 2) + 1);
    } else break;
  }
  return base + rest;
}
