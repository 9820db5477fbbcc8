/** The words of one language. `Category` lists its plural categories (Intl.PluralRules). Values replace placeholders such as `{count}`. */
export interface WordTable<Category extends Intl.LDMLPluralRule> {
  readonly texts: Readonly<Record<string, string>>;
  readonly counted: Readonly<Record<string, Readonly<Record<Category, string>>>>;
}
