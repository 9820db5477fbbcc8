import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findProseFaults, type ProseFault } from "./prose/find-prose-faults.ts";
import { extractMarkdownPassages } from "./prose/extract-markdown-passages.ts";
import { collectProseByPlace } from "./prose/collect-prose-by-place.ts";
import { maxSentenceWords, proseRules } from "./prose/rules.ts";
import { extractSourcePassages } from "./prose/extract-source-passages.ts";

const countsFile = join(import.meta.dirname, "prose-counts.json");
const allowed = JSON.parse(readFileSync(countsFile, "utf8")) as Record<string, number>;

let faults: ReadonlyMap<string, readonly ProseFault[]>;
beforeAll(() => {
  faults = new Map([...collectProseByPlace()].map(([place, passages]) => [place, findProseFaults(passages)]));
});

function rulesIn(text: string): string[] {
  return findProseFaults([{ file: "sample", line: 1, text }]).map(({ rule }) => rule);
}

test("no page or package has more faults of language than prose-counts.json allows", () => {
  const risen = [...faults].filter(([place, { length }]) => length > (allowed[place] ?? 0));
  const lines = risen.flatMap(([place, found]) => [
    `${place}: ${found.length} faults, allowed are ${allowed[place] ?? 0}`,
    ...found.map(({ file, line, rule, instead, text }) => `  ${file}:${line}: ${rule} → ${instead}: ${text}`),
  ]);
  expect(lines).toEqual([]);
});

test("prose-counts.json holds the counts that `pnpm generate prose-counts` writes", async () => {
  const counts = [...faults].flatMap(([place, { length }]) =>
    length === 0 ? [] : [[place, Math.min(length, allowed[place] ?? 0)]],
  );
  await expect(`${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`).toMatchFileSnapshot(countsFile);
});

test("every rule of language finds its bad sample but not its good one", () => {
  expect(proseRules.filter(({ name, bad }) => !rulesIn(bad).includes(name))).toEqual([]);
  expect(proseRules.filter(({ name, good }) => rulesIn(good).includes(name))).toEqual([]);
});

test("every phrase that docs/glossary.md replaces is a rule of language", () => {
  const names = proseRules.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["“is told”", "“beside”", "“canonical form”"]));
});

test("a sentence of 36 words is too long, and one of 35 words is not", () => {
  const sentence = (words: number) => `Word ${"word ".repeat(words - 2)}end.`;
  expect(rulesIn(sentence(maxSentenceWords))).toEqual([]);
  expect(rulesIn(`Short. ${sentence(maxSentenceWords + 1)} Short.`)).toEqual([`${maxSentenceWords + 1} words`]);
  expect(rulesIn(`Cases:\n- ${sentence(20)}\n- ${sentence(20)}`)).toEqual([]);
  expect(rulesIn(`Cases:\n- ${sentence(maxSentenceWords + 1)}\n- ${sentence(20)}`)).toHaveLength(1);
});

test("extractMarkdownPassages leaves out code and examples of faults", () => {
  const page = [
    "# One `code`\n\nA [link](https://x.example) and\nits *next* line.\n<!-- left\nout -->\n",
    "```sh\necho beside\n```\n\n- First item\n  goes on.\n- Second\n",
    "| before | after |\n|---|---|\n| beside | next to |\n\n| a | b |\n|---|---|\n| one `a|b` cell | two<br>three |\n",
  ].join("\n");
  const passages = extractMarkdownPassages("page.md", page).map(({ line, text }) => [line, text]);
  expect(passages).toEqual([
    [1, "One `x`"],
    [3, "A link and its *next* line."],
    [12, "First item goes on."],
    [14, "Second"],
    ...["a", "b"].map((text) => [20, text]),
    ...["one `x` cell", "two", "three"].map((text) => [22, text]),
  ]);
});

test("extractSourcePassages returns the comments, titles and texts of a source", () => {
  const source = [
    "/** Returns `code`.\n * More. */",
    "const a = 4 / 2; // first line\n// second line",
    'const b = /"\\/[/"]/.test("some words with a \\"quoted\\" one");',
    "const c = `A text with ${d(`one that is nested`)} and an end`;",
    "const e = sql`a statement that is left out`;",
    'const f = <p title="The title of it">A text in the page</p>;',
  ].join("\n");
  const { comments, texts } = extractSourcePassages("src/page.tsx", source);
  expect(comments.map(({ line, text }) => [line, text])).toEqual([
    [1, "Returns `x`.\nMore."],
    [3, "first line second line"],
  ]);
  expect(texts.map(({ line, text }) => [line, text])).toEqual([
    [5, 'some words with a "quoted" one'],
    [6, "A text with x and an end"],
    [6, "one that is nested"],
    [8, "The title of it"],
    [8, "A text in the page"],
  ]);
  const tested = 'test("returns what was given", () => {}); test.each([1])("holds for all of %s", () => {});';
  expect(extractSourcePassages("src/page.test.ts", tested).titles.map(({ text }) => text)).toEqual([
    "returns what was given",
    "holds for all of %s",
  ]);
});
