import { registerHooks } from "node:module";
import { mutations } from "../mutations.ts";

// Loaded before the worker's main module by --import; the mutation's name stands behind the main module.
const name = process.argv[2] ?? "";
const chosen = mutations[name];
if (chosen === undefined) throw new Error(`There is no mutation ${JSON.stringify(name)}.`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const meant = chosen.filter(({ file }) => url.endsWith(file));
    if (meant.length === 0) return loaded;
    let source = Buffer.from((loaded.source ?? "") as Uint8Array).toString("utf8");
    for (const { file, text, by } of meant) {
      if (!source.includes(text)) throw new Error(`The mutation ${name} no longer fits ${file}; bring it up to date.`);
      source = source.replace(text, by);
    }
    return { ...loaded, source };
  },
});
