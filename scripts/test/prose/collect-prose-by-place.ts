import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProsePassage } from "./find-prose-faults.ts";
import { extractMarkdownPassages } from "./extract-markdown-passages.ts";
import { extractSourcePassages } from "./extract-source-passages.ts";

const root = join(import.meta.dirname, "../../..");
const ignoredFolders = /(?:^|\/)(?:node_modules|dist|\.data|\.turbo|coverage|golden|generated|corpora)$/;

/** Returns the prose of the repository by place. A place is a page, or the comments, test titles or texts of one package. */
export function collectProseByPlace(): Map<string, ProsePassage[]> {
  const places = new Map<string, ProsePassage[]>();
  const add = (place: string, passages: readonly ProsePassage[]) => {
    places.set(place, [...(places.get(place) ?? []), ...passages]);
  };
  for (const file of filesLike(
    "{*.md,{.changeset,docs,apps,packages,examples,scripts,deploy,bench,torture}/**/*.md}",
  )) {
    add(file.startsWith("docs/decisions/") ? "decisions" : file, extractMarkdownPassages(file, read(file)));
  }
  for (const file of filesLike("{apps/*,packages/*,examples/*,scripts,bench,torture}/**/*.{ts,tsx}")) {
    const { comments, titles, texts } = extractSourcePassages(file, read(file));
    const folder = /^(?:apps|packages|examples)\/[^/]+|^[^/]+/.exec(file)![0];
    add(`comments of ${folder}`, comments);
    add(`test titles of ${folder}`, titles);
    add(`texts of ${folder}`, texts);
  }
  for (const file of filesLike(
    "{deploy/**/*.{yml,yaml,env,service,sh,txt,Dockerfile},docs/*.yml,.ci/run,docs/**/*.yml}",
  )) {
    add(file, hashPassages(file, read(file)));
  }
  return places;
}

function filesLike(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: (name) => ignoredFolders.test(name) }).toSorted();
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function hashPassages(file: string, text: string): ProsePassage[] {
  const passages: ProsePassage[] = [];
  let isOpen = false;
  for (const [index, line] of text.split("\n").entries()) {
    const [, comment] = /^\s*# ?(?!!)(.*)$/.exec(line) ?? [];
    const [, annotation] = /^\s*(?:summary|description): (.*)$/.exec(line) ?? [];
    const prose = comment ?? annotation;
    const last = passages.at(-1);
    if (isOpen && comment !== undefined) passages[passages.length - 1] = { ...last!, text: `${last!.text} ${comment}` };
    else if (prose !== undefined) passages.push({ file, line: index + 1, text: prose });
    isOpen = comment !== undefined && comment !== "";
  }
  return passages;
}
