import { english } from "./english.ts";
import type { WordTable } from "./word-table.ts";

type English = typeof english;
export type TextKey = keyof English["texts"];
export type CountedKey = keyof English["counted"];

/** The words of another language than English: the compiler asks for each key, and for each plural category of the language. */
export interface Translation<Category extends Intl.LDMLPluralRule> extends WordTable<Category> {
  readonly texts: Readonly<Record<TextKey, string>>;
  readonly counted: Readonly<Record<CountedKey, Readonly<Record<Category, string>>>>;
}

/** Names of the placeholders of a text. */
type PlaceholderOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never;
type ValuesOf<Key extends TextKey> = Readonly<Record<PlaceholderOf<English["texts"][Key]>, string>>;
type GivenValues<Key extends TextKey> = [PlaceholderOf<English["texts"][Key]>] extends [never]
  ? []
  : [values: ValuesOf<Key>];

/** The words of a document in its language. */
export interface Words {
  /** Returns a text with its placeholders replaced. */
  text<Key extends TextKey>(key: Key, ...values: GivenValues<Key>): string;
  /** Returns a text with a number in the number's plural form. `written` is the number as the document's locale writes it. */
  counted(key: CountedKey, count: number, written: string): string;
}

const translations = { en: english } as const satisfies { readonly en: Translation<"one" | "other"> };
type Language = keyof typeof translations;

const wordsByLanguage = new Map<Language, Words>();

/** Returns the words of a language, which are made once per process. */
export function getWords(language: Language): Words {
  const known = wordsByLanguage.get(language);
  if (known !== undefined) return known;
  const made = createWords(language);
  wordsByLanguage.set(language, made);
  return made;
}

function createWords(language: Language): Words {
  const { texts, counted }: Translation<"other"> = translations[language];
  const rules = new Intl.PluralRules(language);
  return {
    text: (key, ...[values]) => fillIn(texts[key], values ?? {}),
    counted(key, count, written) {
      const forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string } = counted[key];
      return fillIn(forms[rules.select(count)] ?? forms.other, { count: written });
    },
  };
}

function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
