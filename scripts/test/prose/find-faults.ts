import { maxSentenceWords, proseRules } from "./rules.ts";

/** A passage of prose, such as a paragraph, a table cell, a comment or a message, and its place. */
export interface Passage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** A fault of language. `text` is the faulty sentence, and not the whole passage. */
export interface Fault extends Passage {
  readonly rule: string;
  readonly instead: string;
}

/** Matches every sentence with a fault. Most sentences have none, so this one match makes trying each rule unnecessary. */
const anyRule = new RegExp(proseRules.map(({ pattern }) => `(?:${pattern.source})`).join("|"), "i");

export function findFaults(passages: readonly Passage[]): Fault[] {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap((sentence) => faultsOf({ ...passage, text: sentence })),
  );
}

/** Returns the sentences of a text. A list item begins a new sentence. Code in an example is not a sentence. */
function sentencesOf(text: string): string[] {
  const items = text.replaceAll(/```[^]*?```/g, " ").split(/\n\s*- /);
  return items.flatMap((item) =>
    item
      .replaceAll(/\s+/g, " ")
      .trim()
      .split(/(?<=[.!?]["”)*]*) (?=["“(*`]*[A-Z`])/),
  );
}

function faultsOf(sentence: Passage): Fault[] {
  const found = !anyRule.test(sentence.text) ? [] : proseRules.filter(({ pattern }) => pattern.test(sentence.text));
  const faults = found.map(({ name, instead }) => ({ ...sentence, rule: name, instead }));
  const words = sentence.text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return words > maxSentenceWords
    ? [...faults, { ...sentence, rule: `${words} words`, instead: `at most ${maxSentenceWords}` }]
    : faults;
}
