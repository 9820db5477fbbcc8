import type { ReportWarning } from "@reports/core/report";
import type { englishWordTable } from "./english-words.ts";
import type { WordTable } from "./word-table.ts";

export type EnglishWords = typeof englishWordTable;
export type TextKey = keyof EnglishWords["texts"];
export type PluralTextKey = keyof EnglishWords["counted"];

export interface Translation<Category extends Intl.LDMLPluralRule> extends WordTable<Category> {
  readonly texts: Readonly<Record<TextKey, string>>;
  readonly counted: Readonly<Record<PluralTextKey, Readonly<Record<Category, string>>>>;
  /**
   * Texts of warnings by code. They contain no counts, and limits as plain digits, which `warning` of words.ts formats. English uses the message of
   * the warning instead.
   */
  readonly warnings: Readonly<Record<Exclude<ReportWarning["code"], "OTHER">, string>>;
}
