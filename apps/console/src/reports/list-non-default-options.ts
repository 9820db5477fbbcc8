import { reportOptions, type ReportOptions, type ReportType } from "@reports/client";
import { selectShownColumns } from "../start/column-order.ts";
import { formatOption } from "../start/options.tsx";

/** The page of a report shows these options outside its list of changed options. */
const separateOptions: readonly string[] = ["columns", "sort", "groupBy", "keepRows"];

export function listNonDefaultOptions(options: ReportOptions): readonly (readonly [name: string, text: string])[] {
  return Object.entries(reportOptions).flatMap(([name, facts]) => {
    const value = options[name as keyof ReportOptions] as string | boolean | null | undefined;
    const byDefault = "byDefault" in facts ? facts.byDefault : null;
    if (name === "locale" && value === options.language) return [];
    if (separateOptions.includes(name) || value === undefined || value === null || value === byDefault) return [];
    return [[name, formatOption(name, value)]];
  });
}

export function findDefaultColumnsAndSort(type: ReportType, format: string): Pick<ReportOptions, "columns" | "sort"> {
  return { columns: selectShownColumns(type, format, []).keys, sort: type.defaultSort };
}
