import type { ReportType } from "@reports/client";
import { describeTime, describeTimeRange } from "@reports/client/times";
import { deriveFilterFields, formatFilterValue, listFilterNames, type Filter } from "./filters.ts";
import { deriveFieldLabel } from "./text.ts";

export interface FilterDescription {
  readonly label: string;
  readonly texts: readonly string[];
  /** The filter parameters of the API. A range of times has two, such as `certNotAfterFrom` and `certNotAfterTo`. */
  readonly names: readonly string[];
}

export type SearchParam = Readonly<Record<string, unknown>>;

export function describeFilters(
  searchParam: SearchParam,
  type: ReportType | undefined,
  timezone?: string | null,
): readonly FilterDescription[] {
  const fields = type === undefined ? [] : deriveFilterFields(type);
  const options = timezone ? { timezone } : {};
  const known = fields.flatMap((field): readonly FilterDescription[] => {
    const names = listFilterNames(field).filter((name) => Object.hasOwn(searchParam, name));
    if (names.length === 0) return [];
    if (field.kind !== "range")
      return [{ label: field.label, texts: textsOf(field, searchParam[field.name], options), names }];
    const [from, to] = [searchParam[field.from], searchParam[field.to]];
    const range = { ...(typeof from === "string" && { from }), ...(typeof to === "string" && { to }) };
    return [{ label: field.label, texts: [describeTimeRange(range, { ...options, expires: field.expires })], names }];
  });
  const described = new Set(known.flatMap(({ names }) => names));
  const others = Object.keys(searchParam).filter((name) => !described.has(name));
  return [
    ...known,
    ...others.map((name) => ({
      label: deriveFieldLabel(name),
      texts: textsOf(undefined, searchParam[name], options),
      names: [name],
    })),
  ];
}

export function formatFilters(...given: Parameters<typeof describeFilters>): string {
  return describeFilters(...given)
    .map(({ label, texts }) => `${label}: ${texts.join(" or ")}`)
    .join(" · ");
}

function textsOf(
  filter: Filter | undefined,
  value: unknown,
  options: { readonly timezone?: string },
): readonly string[] {
  return [value]
    .flat()
    .map((one) =>
      filter?.kind === "time" ? describeTime(String(one), options) : formatFilterValue(filter, String(one)),
    );
}
