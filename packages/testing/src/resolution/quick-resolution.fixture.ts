// Imports the modules of its arguments. Prints the imports that quick resolution resolves differently than Node does.
import { registerHooks, type ResolveHookSync } from "node:module";
import { createQuickResolution } from "./quick-resolution.ts";

const quick = createQuickResolution(new URL("../../../../", import.meta.url).href);
const differences: unknown[] = [];
let imports = 0;
let quickImports = 0;

const resolve: ResolveHookSync = (specifier, context, next) => {
  const expected = next(specifier, context);
  const found = quick(specifier, context, () => {
    quickImports -= 1;
    return expected;
  });
  imports += 1;
  quickImports += 1;
  if (found.url !== expected.url || found.format !== expected.format)
    differences.push({ specifier, from: context.parentURL, expected, found });
  return expected;
};
registerHooks({ resolve });

for (const path of process.argv.slice(2)) await import(path);
process.stdout.write(JSON.stringify({ differences, imports, quickImports }));
process.exit();
