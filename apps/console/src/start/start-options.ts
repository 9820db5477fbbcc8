import type { ReportStart } from "@reports/client";

/** How an option of a report stands in a fragment, and its value where none is said: that one is left out. */
export interface OptionForm {
  readonly kind: "text" | "list" | "flag";
  readonly byDefault?: string | boolean;
}

const text = { kind: "text" } as const;
const list = { kind: "list" } as const;
const flag = { kind: "flag" } as const;

/** Every option of a report, in the order of commands that give it. docs/contract.md §2.4. */
export const optionForms = {
  format: text,
  groupBy: text,
  title: text,
  timezone: { ...text, byDefault: "UTC" },
  locale: { ...text, byDefault: "en" },
  compression: { ...text, byDefault: "none" },
  paper: { ...text, byDefault: "A4" },
  orientation: { ...text, byDefault: "auto" },
  columns: list,
  sort: list,
  csvBom: { ...flag, byDefault: true },
  keepRows: { ...flag, byDefault: false },
  accessible: flag,
} as const satisfies Readonly<Record<Exclude<keyof ReportStart, "reportType" | "searchParam">, OptionForm>>;

export type OptionName = keyof typeof optionForms;
/** Those that are true or false. */
export type FlagName = {
  [Name in OptionName]: (typeof optionForms)[Name]["kind"] extends "flag" ? Name : never;
}[OptionName];

/** The options that a fragment says. */
export function optionsIn(query: URLSearchParams): Partial<ReportStart> {
  const said: [string, unknown][] = [];
  for (const [name, { kind }] of Object.entries(optionForms)) {
    const value = query.get(name);
    if (value === null || value === "") continue;
    said.push([name, kind === "list" ? value.split(",") : kind === "flag" ? value === "true" : value]);
  }
  return Object.fromEntries(said);
}

/** The parameters of a fragment that says these options. */
export function parametersOf(start: ReportStart): Readonly<Record<string, string>> {
  const said: [string, string][] = [];
  for (const [name, { byDefault }] of Object.entries<OptionForm>(optionForms)) {
    const value = start[name as OptionName];
    if (value !== null && value !== undefined && value !== byDefault) said.push([name, String(value)]);
  }
  return Object.fromEntries(said);
}
