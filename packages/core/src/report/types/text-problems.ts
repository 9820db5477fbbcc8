import { describeAllowedNames } from "../../query/nearest-name.ts";
import { findTextProblems, findUnknownNameProblems, quoteValue } from "./definition-rules.ts";
import { defaultLanguage, languages } from "./language.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { TypeTexts } from "./type-texts.ts";

const maxWordLength = 120;
const maxMeaningLength = 300;
const maxDescriptionLength = 500;
const otherLanguages: readonly string[] = languages.filter((language) => language !== defaultLanguage);

export function findTranslationProblems(definition: ReportTypeDefinition): string[] {
  return Object.entries(definition.texts ?? {}).flatMap(([language, texts]) =>
    otherLanguages.includes(language)
      ? problemsOfLanguage(definition, texts, `texts.${language}`)
      : findUnknownNameProblems("texts", "language", [language], otherLanguages),
  );
}

function problemsOfLanguage(definition: ReportTypeDefinition, texts: TypeTexts, on: string): string[] {
  const { columns, filters, summary } = definition;
  const keys = columns.map(({ key }) => key);
  const labels = summary.charts.flatMap(({ categories, series = [] }) =>
    [...("parts" in categories ? categories.parts : []), ...series].map(({ label }) => label),
  );
  const known = {
    columns: keys,
    filters: filters.map(({ name }) => name),
    figures: summary.figures.map(({ key }) => key),
    charts: summary.charts.map(({ key }) => key),
    labels: [...labels, ...[...columns, ...summary.figures].flatMap(({ unit }) => unit ?? [])],
  } as const;
  const hasList = texts.attention === undefined || summary.attention !== undefined;
  return [
    ...problemsOfWord(`${on}.title`, texts.title),
    ...problemsOfWord(`${on}.description`, texts.description, maxDescriptionLength),
    ...(hasList ? problemsOfWord(`${on}.attention`, texts.attention) : [`${on}: the type has no attention list.`]),
    ...Object.entries(known).flatMap(([kind, names]) =>
      problemsOfWords(`${on}.${kind}`, texts[kind as keyof typeof known], names),
    ),
    ...(["titles", "meanings"] as const).flatMap((kind) => [
      ...problemsOfKeys(`${on}.${kind}`, texts[kind], keys),
      ...columns.flatMap((column) => {
        const words = texts[kind]?.[column.key];
        const longest = kind === "titles" ? maxWordLength : maxMeaningLength;
        return problemsOfWords(`${on}.${kind}.${column.key}`, words, Object.keys(column[kind] ?? {}), longest);
      }),
    ]),
  ];
}

function problemsOfWords(
  on: string,
  words: Readonly<Partial<Record<string, string>>> | undefined,
  names: readonly string[],
  longest = maxWordLength,
): string[] {
  return [
    ...problemsOfKeys(on, words, names),
    ...Object.entries(words ?? {}).flatMap(([key, word]) =>
      problemsOfWord(`${on}: the text of ${quoteValue(key)}`, word, longest),
    ),
  ];
}

function problemsOfKeys(on: string, words: object | undefined, names: readonly string[]): string[] {
  return Object.keys(words ?? {})
    .filter((key) => !names.includes(key))
    .map((key) => {
      const allowed = names.length === 0 ? "The definition has none." : describeAllowedNames(key, names);
      return `${on}: the definition has no ${quoteValue(key)}. ${allowed}`;
    });
}

function problemsOfWord(on: string, word: string | undefined, longest = maxWordLength): string[] {
  return word === undefined ? [] : findTextProblems(on, word, longest);
}
