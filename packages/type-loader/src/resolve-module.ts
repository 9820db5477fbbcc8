import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** No package has such a name. */
const specifierPrefix = "report-types-from-directory:";

/**
 * Resolves a module's name as an ES module in that folder would. Throws Node's errors. (`require.resolve` ignores packages that only offer
 * an import, and `import.meta.resolve` knows no other folder.)
 */
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
