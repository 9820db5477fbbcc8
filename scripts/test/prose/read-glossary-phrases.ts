import { readFileSync } from "node:fs";
import { join } from "node:path";

const glossary = join(import.meta.dirname, "../../../docs/glossary.md");

export function readGlossaryPhrases(): readonly { readonly phrase: string; readonly instead: string }[] {
  const [, section = ""] = readFileSync(glossary, "utf8").split(/^## Not this, but this$/m);
  const rows = section.split(/^## /m)[0]!.matchAll(/^\| (?!not this|-)(.+?) \| (.+?) \|$/gm);
  return [...rows].flatMap(([, phrases, instead]) =>
    phrases!.split(",").map((phrase) => ({ phrase: phrase.trim(), instead: instead! })),
  );
}
