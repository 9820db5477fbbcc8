import { toTitleInSentence, type Language, type ReportWarning } from "@reports/core/report";
import { memoize } from "../memoize.ts";
import { dutch } from "./dutch.ts";
import { englishWordTable } from "./english-words.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { polish } from "./polish.ts";
import { spanish } from "./spanish.ts";
import type { PluralTextKey, EnglishWords, TextKey, Translation } from "./translation.ts";

type PlaceholderOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never;
type ValuesOf<Key extends TextKey> = Readonly<Record<PlaceholderOf<EnglishWords["texts"][Key]>, string>>;
type GivenValues<Key extends TextKey> = [PlaceholderOf<EnglishWords["texts"][Key]>] extends [never]
  ? []
  : [values: ValuesOf<Key>];

export interface Words {
  readonly language: Language;
  text<Key extends TextKey>(key: Key, ...values: GivenValues<Key>): string;
  /** Returns a text in the plural form of `count`. `written` is `count` as the document's locale writes it. */
  counted(key: PluralTextKey, count: number, written: string): string;
  /** Returns a title for use within a sentence: "Region" becomes "region". German titles keep their capital. */
  inSentence(title: string): string;
  /** Returns a warning in the document's language. `writeNumber` writes a whole number as the document's locale does. */
  warning(warning: ReportWarning, writeNumber: (digits: string) => string): string;
}

export const wordTables = {
  en: englishWordTable,
  de: german,
  fr: french,
  nl: dutch,
  es: spanish,
  pl: polish,
} as const satisfies {
  readonly [Each in Language]: Each extends "en" ? EnglishWords : Translation<"other">;
};

/** Warnings that name no columns, so that every number in their texts is a count or a limit. */
const numberedWarnings: ReadonlySet<ReportWarning["code"]> = new Set([
  "TEXTS_SHORTENED",
  "LINKS_OMITTED",
  "NOT_TAGGED",
  "SUBTOTALS_OMITTED",
]);
const longNumber = /\d{4,}/g;

const wordsByLanguage = new Map<Language, Words>();

export function getWords(language: Language): Words {
  const known = wordsByLanguage.get(language);
  if (known !== undefined) return known;
  const made = createWords(language);
  wordsByLanguage.set(language, made);
  return made;
}

function createWords(language: Language): Words {
  const { texts, counted }: Omit<Translation<"other">, "warnings"> = wordTables[language];
  const warnings = language === "en" ? undefined : wordTables[language].warnings;
  const rules = new Intl.PluralRules(language);
  // Intl takes a microsecond per number, and a column of days until an expiry asks for each row.
  const ruleOf = memoize((count) => rules.select(Number(count)));
  return {
    language,
    text: (key, ...[values]) => fillIn(texts[key], values ?? {}),
    counted(key, count, written) {
      const forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string } = counted[key];
      return (forms[ruleOf(String(count))] ?? forms.other).split("{count}").join(written);
    },
    inSentence: language === "de" ? (title) => title : toTitleInSentence,
    warning({ code, message }, writeNumber) {
      const text = code === "OTHER" ? message : (warnings?.[code] ?? message);
      return numberedWarnings.has(code) ? text.replaceAll(longNumber, (digits) => writeNumber(digits)) : text;
    },
  };
}

function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
