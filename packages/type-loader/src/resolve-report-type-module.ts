import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Prefix of the specifiers that only this module resolves. No package name can begin with it. */
const specifierPrefix = "report-types-from-directory:";

/** Returns the URL of a module of this name in the folder. `require.resolve` would ignore packages without CommonJS. Throws Node's errors. */
export function resolveReportTypeModule(name: string, directory: string): string {
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
