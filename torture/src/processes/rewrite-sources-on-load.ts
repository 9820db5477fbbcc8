import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

export interface SourceEdit {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/**
 * Edits the sources of the service while this process loads them. So the service needs no switch for a protection and no code for failpoints. Loading
 * a file throws if it does not contain the text of its edit. @param what the owner of the edits, for the error message @param onEdited called with each
 * edited file
 */
export function rewriteSourcesOnLoad(
  what: string,
  edits: readonly SourceEdit[],
  onEdited: (file: string) => void = () => undefined,
): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const meant = edits.filter(({ file }) => url.endsWith(file));
      if (meant.length === 0) return loaded;
      let source = Buffer.from((loaded.source ?? "") as Uint8Array).toString("utf8");
      for (const { file, text, by } of meant) {
        if (!source.includes(text)) throw new Error(`${what} does not match ${file}. Update the text of the edit.`);
        source = source.replace(text, by);
        onEdited(file);
      }
      return { ...loaded, source };
    },
  });
}

const checkout = new URL("../../../", import.meta.url);

/** Returns the edits whose text is not in their file exactly once. Such an edit would change nothing, or the wrong place. */
export function findUnmatchedEdits(edits: readonly SourceEdit[]): readonly SourceEdit[] {
  return edits.filter(({ file, text }) => {
    try {
      return readFileSync(new URL(file, checkout), "utf8").split(text).length !== 2;
    } catch {
      return true;
    }
  });
}
