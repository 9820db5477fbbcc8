import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../docs/decisions");
const pages = globSync("[0-9]*.md", { cwd: folder })
  .toSorted()
  .map((file) => ({ file, number: basename(file).slice(0, 4), text: readFileSync(join(folder, file), "utf8") }));

function linksAfter(words: string, text: string): string[] {
  const [, links = ""] = new RegExp(`^Date: .*${words} (.*?)\\.(?: |$)(?!md)`, "m").exec(text) ?? [];
  return [...links.matchAll(/\[(\d{4})\]/g)].map(([, number]) => number!);
}

test("every decision has a number, a title, a date and a status", () => {
  const head = /^# (\d{4}) [A-Z].*[^.]\n\nDate: 20\d\d-\d\d-\d\d\. Status: (accepted|superseded)[.,]/;
  expect(pages.filter(({ text, number }) => head.exec(text)?.[1] !== number).map(({ file }) => file)).toEqual([]);
});

test("docs/decisions/README.md lists every decision once, with its title", () => {
  const listed = readFileSync(join(folder, "README.md"), "utf8").match(/^- \[.*$/gm) ?? [];
  const expected = pages.map(({ file, text }) => `- [${text.slice(2, text.indexOf("\n"))}](${file})`);
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

test("a superseded decision and its successor name each other", () => {
  const pairs = (words: string) =>
    pages.flatMap(({ number, text }) => linksAfter(words, text).map((other) => ({ number, other })));
  const superseding = pairs("Supersedes(?: part of)?").map(({ number, other }) => `${other} by ${number}`);
  const superseded = pairs("superseded(?: in part)? by").map(({ number, other }) => `${number} by ${other}`);
  expect(superseding.toSorted()).toEqual(superseded.toSorted());
  expect(superseded).toContain("0046 by 0059");
});
