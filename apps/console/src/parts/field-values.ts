import type { FieldFacts } from "@reports/client";
import { formatDateTimeInput } from "./time-text.ts";
import { deriveFieldLabel } from "./text.ts";

export type FieldDeclarations = Readonly<Record<string, FieldFacts>>;

export function selectFieldLabel(name: string, { title }: FieldFacts): string {
  return title ?? deriveFieldLabel(name);
}

export function createFieldLabelLookup(
  fields: FieldDeclarations,
  without: readonly string[],
): (name: string) => string | undefined {
  return (name) =>
    Object.hasOwn(fields, name) && !without.includes(name) ? selectFieldLabel(name, fields[name]!) : undefined;
}

/** Reads the values of all declared fields except `except` from the URL fragment. Keeps invalid values, so that the API reports them. */
export function readFieldValues<Input>(
  query: URLSearchParams,
  fields: FieldDeclarations,
  except: readonly string[] = [],
): Partial<Input> {
  const given = Object.entries(fields).flatMap(([name, { kind }]) => {
    const value = except.includes(name) ? null : query.get(name);
    return value === null || value === "" ? [] : [[name, parseFieldValue(kind, value)] as const];
  });
  return Object.fromEntries(given) as Partial<Input>;
}

export function buildFieldQuery(
  record: object,
  fields: FieldDeclarations,
  except: readonly string[],
): Readonly<Record<string, string>> {
  const given = Object.entries(fields).flatMap(([name, { kind, byDefault }]) => {
    const value = (record as Readonly<Record<string, string | number | boolean | null>>)[name] ?? null;
    if (except.includes(name) || value === null || value === byDefault) return [];
    return [[name, kind === "time" ? formatDateTimeInput(String(value)) : String(value)]];
  });
  return Object.fromEntries(given) as Readonly<Record<string, string>>;
}

function parseFieldValue(kind: FieldFacts["kind"], value: string): unknown {
  if (kind === "list") return value.split(",");
  if (kind === "flag") return value === "true";
  if (kind === "integer") return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  // A `datetime-local` input returns a time without an offset, which `Date` reads in the time zone of the browser.
  if (kind === "time" && !Number.isNaN(Date.parse(value))) return new Date(value).toISOString();
  return value;
}
