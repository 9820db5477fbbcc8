import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A prefix of specifiers that no package name has, by which the resolver finds its own ones. */
const specifierPrefix = "report-types-from-directory:";

/** Returns the URL of a module of this name in the folder. `require.resolve` would ignore packages without CommonJS. Throws Node's errors. */
export function resolveModule(name: string, directory: string): string {
  const parentURL = pathToFileURL(join(resolve(directory), "/")).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === specifierPrefix + name ? next(name, { ...context, parentURL }) : next(specifier, context),
  });
  try {
    return import.meta.resolve(specifierPrefix + name);
  } finally {
    hooks.deregister();
  }
}
