import { mostWords, proseRules } from "./rules.ts";

/** A passage of prose, such as a paragraph, a cell, a comment or a message. */
export interface Passage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** A fault in a passage. */
export interface Fault extends Passage {
  readonly rule: string;
  readonly instead: string;
}

/** Finds sentences that can have a fault: most have none, and no rule of their own is tried on these. */
const anyRule = new RegExp(proseRules.map(({ pattern }) => `(?:${pattern.source})`).join("|"), "i");

/** Returns the faults of passages, in their order. */
export function findFaults(passages: readonly Passage[]): Fault[] {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap((sentence) => faultsOf({ ...passage, text: sentence })),
  );
}

function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .split(/(?<=[.!?]["”)*]*) (?=["“(*`]*[A-Z`])/);
}

function faultsOf(sentence: Passage): Fault[] {
  const found = !anyRule.test(sentence.text) ? [] : proseRules.filter(({ pattern }) => pattern.test(sentence.text));
  const faults = found.map(({ name, instead }) => ({ ...sentence, rule: name, instead }));
  const words = sentence.text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return words > mostWords
    ? [...faults, { ...sentence, rule: `${words} words`, instead: `at most ${mostWords}` }]
    : faults;
}
