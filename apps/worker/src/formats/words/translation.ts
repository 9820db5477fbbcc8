import type { ReportWarning } from "@reports/core/report";
import type { english } from "./english.ts";
import type { WordTable } from "./word-table.ts";

export type English = typeof english;
export type TextKey = keyof English["texts"];
export type CountedKey = keyof English["counted"];

export interface Translation<Category extends Intl.LDMLPluralRule> extends WordTable<Category> {
  readonly texts: Readonly<Record<TextKey, string>>;
  readonly counted: Readonly<Record<CountedKey, Readonly<Record<Category, string>>>>;
  /** Texts of warnings by code, without counts, and with limits in plain digits. English shows the message of the warning instead. */
  readonly warnings: Readonly<Record<Exclude<ReportWarning["code"], "OTHER">, string>>;
}
