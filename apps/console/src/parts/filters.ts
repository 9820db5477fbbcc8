import type { ReportType } from "@reports/client";
import { filterName, wordOf } from "./text.ts";

/** A filter of a report type, as a form needs it. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** What it does, and what its values are. */
  readonly hint: string;
  readonly kind: "text" | "number" | "time" | "flag" | "choice";
  /** Whether any of several values may match. */
  readonly isList: boolean;
  /** Of a choice. */
  readonly values: readonly string[];
  /** Of values that are codes, as the documents show them. */
  readonly titles: Readonly<Record<string, string>>;
}

/** The part of JSON Schema that the catalogue describes filters by. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The filters of a report type in the order of the catalogue. */
export function filtersOf({ searchParam, columns }: Pick<ReportType, "searchParam" | "columns">): readonly Filter[] {
  return Object.entries((searchParam as Schema).properties ?? {}).map(([name, schema]) => {
    const forms = schema.anyOf ?? [schema];
    const one = forms.find(({ type }) => type !== "array") ?? forms[0]?.items ?? {};
    const values = one.enum ?? [];
    return {
      name,
      label: labelOf(name, columns),
      hint: (schema.description ?? "").replaceAll("`", ""),
      kind: kindOf(one, forms),
      isList: forms.some(({ type }) => type === "array"),
      values,
      titles:
        columns.find(({ titles }) => values.length > 0 && values.every((value) => Object.hasOwn(titles, value)))
          ?.titles ?? {},
    };
  });
}

/** A filter is called after its column where it is one's; where time begins and ends, behind that. */
function labelOf(name: string, columns: ReportType["columns"]): string {
  const [, base = name, end] = /^(.+)(From|To)$/.exec(name) ?? [];
  const title = columns.find(({ key }) => key === base || key === `${base}s`)?.title ?? filterName(base);
  return end === undefined ? title : `${title}, ${end === "From" ? "from" : "before"}`;
}

/** A value of a filter as it is shown. */
export function valueText(filter: Filter | undefined, value: string): string {
  return filter?.titles[value] ?? (filter?.kind === "choice" ? wordOf(value) : value);
}

function kindOf(one: Schema, forms: readonly Schema[]): Filter["kind"] {
  if (forms.some(({ format }) => format === "date-time")) return "time";
  if (one.enum !== undefined) return "choice";
  if (one.type === "boolean") return "flag";
  return one.type === "integer" || one.type === "number" ? "number" : "text";
}
