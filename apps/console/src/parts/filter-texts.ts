import type { ReportType } from "@reports/client";
import { deriveFilters, filterValueText } from "./filters.ts";
import { labelFromName } from "./text.ts";

export interface FilterText {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

/** Returns filters as people read them. Codes have their titles if the report type is known. */
export function filterTexts(
  searchParam: Readonly<Record<string, unknown>>,
  type: ReportType | undefined,
): readonly FilterText[] {
  const known = type === undefined ? [] : deriveFilters(type);
  return Object.entries(searchParam).map(([name, value]) => {
    const filter = known.find((one) => one.name === name);
    const values = [value].flat().map((one) => filterValueText(filter, String(one)));
    return { name, label: filter?.label ?? labelFromName(name), values };
  });
}

/** Returns all filters in one line, or an empty text. */
export function filterLine(searchParam: Readonly<Record<string, unknown>>, type: ReportType | undefined): string {
  return filterTexts(searchParam, type)
    .map(({ label, values }) => `${label}: ${values.join(" or ")}`)
    .join(" · ");
}
