import { maxSentenceWords, proseRules } from "./rules.ts";

export interface ProsePassage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface ProseFault extends ProsePassage {
  readonly rule: string;
  readonly instead: string;
}

/** Matches every sentence with a fault. Most sentences have none, so this one match makes trying each rule unnecessary. */
const anyRule = new RegExp(proseRules.map(({ pattern }) => `(?:${pattern.source})`).join("|"), "i");

export function findProseFaults(passages: readonly ProsePassage[]): ProseFault[] {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap((sentence) => faultsOf({ ...passage, text: sentence })),
  );
}

function sentencesOf(text: string): string[] {
  const items = text.replaceAll(/```[^]*?```/g, " ").split(/\n\s*- /);
  return items.flatMap((item) =>
    item
      .replaceAll(/\s+/g, " ")
      .trim()
      .split(/(?<=[.!?]["”)*]*) (?=["“(*`]*[A-Z`])/),
  );
}

function faultsOf(sentence: ProsePassage): ProseFault[] {
  const found = !anyRule.test(sentence.text) ? [] : proseRules.filter(({ pattern }) => pattern.test(sentence.text));
  const faults = found.map(({ name, instead }) => ({ ...sentence, rule: name, instead }));
  const words = sentence.text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return words > maxSentenceWords
    ? [...faults, { ...sentence, rule: `${words} words`, instead: `at most ${maxSentenceWords}` }]
    : faults;
}
