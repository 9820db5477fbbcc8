import type { ReportWarning } from "@reports/core/report";
import type { english } from "./english.ts";
import type { WordTable } from "./word-table.ts";

export type English = typeof english;
export type TextKey = keyof English["texts"];
export type CountedKey = keyof English["counted"];

/** The words of another language than English: the compiler asks for each key, and for each plural category of the language. */
export interface Translation<Category extends Intl.LDMLPluralRule> extends WordTable<Category> {
  readonly texts: Readonly<Record<TextKey, string>>;
  readonly counted: Readonly<Record<CountedKey, Readonly<Record<Category, string>>>>;
  /** The warnings of a report without their counts, and limits in plain digits. The messages of warnings are English. */
  readonly warnings: Readonly<Record<Exclude<ReportWarning["code"], "OTHER">, string>>;
}
