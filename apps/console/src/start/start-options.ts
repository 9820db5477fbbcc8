import { reportOptions, type FieldFacts, type ReportStart } from "@reports/client";

export type StartOptionName = keyof typeof reportOptions;

export const startOptionEntries = Object.entries(reportOptions) as readonly (readonly [StartOptionName, FieldFacts])[];

export function buildOptionParameters(start: ReportStart): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (const [name, { byDefault }] of startOptionEntries) {
    const value = start[name];
    if (value !== null && value !== undefined && value !== byDefault) pairs.push([name, String(value)]);
  }
  return Object.fromEntries(pairs);
}
