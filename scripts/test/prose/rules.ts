import { readGlossaryPhrases } from "./read-glossary-phrases.ts";

export interface ProseRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
  readonly bad: string;
  readonly good: string;
}

/** Maximum words per sentence in the check. The style guide recommends 25. */
export const maxSentenceWords = 35;

const sentenceStart = String.raw`(?:^|[.:;] |, (?:and|but|or) )["“(*]*`;
const numberPattern = String.raw`(?:(?!0\d)\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|sixty)`;
const unitPattern =
  "second|minute|hour|day|process|report|lane|file|row|table|package|caller|instance|slot|view|type|connection|principal|worker|address|webhook";

const patternRules: readonly ProseRule[] = [
  {
    name: "headless what",
    pattern: new RegExp(String.raw`${sentenceStart}what (?!to )(?!.*\?)\S+`, "i"),
    instead: "name the thing",
    bad: "What cannot change is ignored.",
    good: "What happens if a worker dies?",
  },
  {
    name: "headless who",
    pattern: new RegExp(String.raw`${sentenceStart}who (?!.*\?)\S+`, "i"),
    instead: "anyone who, the caller, an operator",
    bad: "The file is deleted; who asks for it gets 410.",
    good: "Who can see a report?",
  },
  {
    name: "fronted of",
    pattern: /(?:^|[.:;] )["“(*]*Of (?!course)\S+/,
    instead: "start with the subject",
    bad: "Of each source, its name.",
    good: "Users of the service. Fields of the record.",
  },
  {
    name: "a for per",
    pattern: new RegExp(
      String.raw`\b${numberPattern} (?:(?!(?:of|in|with|from|by|at|on|to|for|than|that|is|has|per) )[\w-]+ )?an? (?:${unitPattern})\b`,
      "i",
    ),
    instead: "per",
    bad: "An instance accepts 60 previews a minute.",
    good: "An instance accepts 60 previews per minute, and answers 404 for a report.",
  },
  {
    name: "is no",
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|fewer|later|earlier|better|one\b|other\b)\S+/i,
    instead: "is not a",
    bad: "A preview is no report.",
    good: "There is no report, and it is no longer listed.",
  },
  {
    name: "some for about",
    pattern: /\bsome \d/i,
    instead: "about",
    bad: "It takes some 30 seconds.",
    good: "It takes about 30 seconds, and some take more.",
  },
];

const phraseRules = readGlossaryPhrases().map(({ phrase, instead }): ProseRule => {
  const words = phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(" ", String.raw`\s+`);
  return {
    name: `“${phrase}”`,
    pattern: new RegExp(String.raw`(?<![\w-])${words}(?![\w-])`, "i"),
    instead,
    bad: `Here ${phrase} there.`,
    good: `Here x${phrase}x there.`,
  };
});

export const proseRules: readonly ProseRule[] = [...patternRules, ...phraseRules];
