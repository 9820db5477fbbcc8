import type { Language } from "./language.ts";

/** Words of a report type in another language than English. Missing words stay English. */
export interface TypeTexts<Key extends string = string> {
  readonly title?: string;
  readonly description?: string;
  readonly columns?: Readonly<Partial<Record<Key, string>>>;
  readonly titles?: Readonly<Partial<Record<Key, Readonly<Record<string, string>>>>>;
  readonly meanings?: Readonly<Partial<Record<Key, Readonly<Record<string, string>>>>>;
  /** Names of filters, for filters of several columns or of a column that the report does not show. Other filters have the title of their column. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly figures?: Readonly<Record<string, string>>;
  readonly charts?: Readonly<Record<string, string>>;
  /** Labels of the parts and series of charts, and units of columns and figures, by the English text. Documents translate `days` and similar units themselves. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly attention?: string;
}

/** Words of a report type, by language. The words of the definition itself are English. */
export type TextsByLanguage<Key extends string = string> = Readonly<
  Partial<Record<Exclude<Language, "en">, TypeTexts<Key>>>
>;
