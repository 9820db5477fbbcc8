/** The words of one language. `Category` are the plural categories of the language (Intl.PluralRules). Values replace placeholders such as `{count}`. */
export interface WordTable<Category extends Intl.LDMLPluralRule> {
  readonly texts: Readonly<Record<string, string>>;
  /** Texts with a number, by its plural category. */
  readonly counted: Readonly<Record<string, Readonly<Record<Category, string>>>>;
}
