const maxLength = 72;
const subjectPattern =
  /^(?:feat|fix|docs|test|refactor|perf|build|ci|chore|style|bench|revert)(?:\([a-z0-9,/ -]+\))?!?: (.+)$/;
const gitSubjectPattern = /^(?:Merge |Revert ")/;

/** Common first words of subjects that are not imperatives, although their ending does not show it. */
const notImperative = new Set(
  [
    "what|who|whoever|whatever|whose|where|which|when|while|how|why|x|a|an|the|its|this|that|these|it|there|some|any|every|each",
    "no|not|none|nothing|nobody|everybody|somebody|of|in|on|at|by|as|if|only|also|now|more|less|all|other|others",
    "is|are|was|were|be|been|has|have|had|does|did|can|may|must|will",
    "made|took|gave|went|said|told|found|kept|left|sent|wrote|got|held|stood|came|ran|began|broke|chose|fell|knew|meant|paid",
  ].flatMap((words) => words.split("|")),
);
/** Imperatives that end like a past tense, a participle or a third person (-ed, -ing, -s), such as "pass". */
const imperativesWithEnding = new Set(
  "need feed embed seed speed shed spread bring ping string sling process pass press focus bypass discuss dismiss compress express guess cross".split(
    " ",
  ),
);

export function findCommitSubjectFaults(subject: string): string[] {
  if (gitSubjectPattern.test(subject)) return [];
  const [, text = ""] = subjectPattern.exec(subject) ?? [];
  const [first = ""] = text.split(/[^\p{L}\p{N}'-]/u);
  return [
    ...(subject.length > maxLength ? [`has ${subject.length} characters, at most ${maxLength} are allowed`] : []),
    ...(text === "" ? ["does not have the form type(scope): text"] : []),
    ...(/^[A-Z][a-z]/.test(text) ? ["starts with a capital letter"] : []),
    ...(text !== "" && !isImperative(first.toLowerCase())
      ? [`starts with “${first}”, which is not an imperative`]
      : []),
    ...(subject.endsWith(".") ? ["ends with a full stop"] : []),
  ];
}

function isImperative(word: string): boolean {
  return imperativesWithEnding.has(word) || !(word === "" || notImperative.has(word) || /(?:ed|ing|[^s]s)$/.test(word));
}
