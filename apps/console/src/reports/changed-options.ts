import { reportOptions, type ReportOptions, type ReportType } from "@reports/client";
import { selectShownColumns } from "../start/column-order.ts";
import { optionText } from "../start/options.tsx";

/** Options that the page shows separately. */
const separateOptions: readonly string[] = ["columns", "sort", "groupBy", "keepRows"];

/** Returns the options of a report that differ from their defaults, as texts. Omits options without a fixed default. */
export function changedOptions(options: ReportOptions): readonly (readonly [name: string, text: string])[] {
  return Object.entries(reportOptions).flatMap(([name, facts]) => {
    const value = options[name as keyof ReportOptions] as string | boolean | null | undefined;
    const byDefault = "byDefault" in facts ? facts.byDefault : null;
    // Without a chosen locale, the formats are those of the language.
    if (name === "locale" && value === options.language) return [];
    if (separateOptions.includes(name) || value === undefined || value === null || value === byDefault) return [];
    return [[name, optionText(name, value)]];
  });
}

/** Returns the columns and the sort of a report whose start names neither. */
export function defaultsOf(type: ReportType, format: string): Pick<ReportOptions, "columns" | "sort"> {
  return { columns: selectShownColumns(type, format, []).keys, sort: type.defaultSort };
}
