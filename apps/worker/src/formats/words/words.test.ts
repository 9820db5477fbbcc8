import { builtInReportTypes, languages, textsOf } from "@reports/core/report";
import { expect, test } from "vitest";
import { getNumberFormatter } from "../number-formatter.ts";
import { FontSet } from "../pdf/font-set.ts";
import { getWords, wordTables } from "./words.ts";

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
const others = languages.filter((language) => language !== "en");

test.each(others)("texts in the language %s have the same placeholders as the English texts", (language) => {
  const { texts, counted } = wordTables[language];
  for (const [key, text] of Object.entries(wordTables.en.texts))
    expect([key, ...placeholders(texts[key as keyof typeof texts])]).toEqual([key, ...placeholders(text)]);
  for (const forms of Object.values(counted))
    for (const form of Object.values(forms)) expect(placeholders(form)).toEqual(["{count}"]);
});

test.each(languages)("counted texts in the language %s have its plural categories", (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  for (const forms of Object.values(wordTables[language].counted))
    expect(Object.keys(forms).toSorted()).toEqual(pluralCategories.toSorted());
});

test.each([
  ["pl", 1, "1 wiersz"],
  ["pl", 2, "2 wiersze"],
  ["pl", 5, "5 wierszy"],
  ["pl", 12, "12 wierszy"],
  ["pl", 22, "22 wiersze"],
  ["fr", 0, "0 ligne"],
  ["fr", 1_000_000, "1000000 de lignes"],
  ["de", 2, "2 Zeilen"],
  ["en", 1, "1 row"],
] as const)("in the language %s, %i rows are written %j", (language, count, expected) => {
  expect(getWords(language).counted("rows", count, String(count))).toBe(expected);
});

test("a warning with the code OTHER keeps its message in every language", () => {
  for (const language of languages) {
    expect(getWords(language).warning({ code: "OTHER", message: "Old 2024." }, String)).toBe("Old 2024.");
    const written = getWords(language).warning({ code: "DATA_BEHIND", message: "3 min behind." }, String);
    expect(written === "3 min behind.").toBe(language === "en");
  }
});

test.each([
  ["en", "en", "1,234 values are texts without a link, because a sheet can have 65,530 links."],
  ["en", "de-CH", "1'234 values are texts without a link, because a sheet can have 65'530 links."],
  ["de", "de", "65.530 Links"],
  ["de", "de-CH", "65'530 Links"],
  ["fr", "fr", "65 530 liens"],
  ["nl", "nl", "65.530 links"],
  ["es", "es", "65.530 enlaces"],
  ["pl", "pl", "65 530 łączy"],
] as const)("numbers of a warning in %s have the separators of the locale %s", (language, locale, expected) => {
  const message = "1234 values are texts without a link, because a sheet can have 65530 links.";
  const numbers = getNumberFormatter(locale, language);
  const written = getWords(language).warning({ code: "LINKS_OMITTED", message }, (digits) => numbers.decimal(digits));
  expect(written.replaceAll(/[\u00A0\u202F]/g, " ")).toContain(expected);
});

test("a warning does not reformat a column title that is a number, such as 2024", () => {
  const message = "The rows are not grouped: the column 2024 was left out.";
  expect(getWords("en").warning({ code: "ROWS_NOT_GROUPED", message }, () => "")).toBe(message);
});

test.each(languages)("the regular and bold fonts have every letter of the words in %s", (language) => {
  const fonts = new FontSet();
  const types = builtInReportTypes.map((definition) => textsOf(definition, language));
  const letters = new Set(JSON.stringify([wordTables[language], types]));
  const missing = [...letters].filter((letter) =>
    [false, true].some((bold) => fonts.faceFor(letter.codePointAt(0)!, bold) !== fonts.ownFace(bold)),
  );
  expect(missing).toEqual([]);
});
