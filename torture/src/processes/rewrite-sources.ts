import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

export interface SourceEdit {
  /** Path below the checkout. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/**
 * Edits the service's sources as this process loads them, so that nothing in the service itself can switch a protection off or break
 * it on demand. Throws at the load of a file whose text is no longer there, so that no edit silently becomes none.
 * @param what whose edits these are, for that message.
 */
export function rewriteSources(what: string, edits: readonly SourceEdit[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const meant = edits.filter(({ file }) => url.endsWith(file));
      if (meant.length === 0) return loaded;
      let source = Buffer.from((loaded.source ?? "") as Uint8Array).toString("utf8");
      for (const { file, text, by } of meant) {
        if (!source.includes(text)) throw new Error(`${what} no longer fits ${file}; bring it up to date.`);
        source = source.replace(text, by);
      }
      return { ...loaded, source };
    },
  });
}

const checkout = new URL("../../../", import.meta.url);

/** Edits whose text is not in their file exactly once would switch off nothing, or the wrong thing. */
export function findUnmatchedEdits(edits: readonly SourceEdit[]): readonly SourceEdit[] {
  return edits.filter(({ file, text }) => {
    try {
      return readFileSync(new URL(file, checkout), "utf8").split(text).length !== 2;
    } catch {
      return true;
    }
  });
}
