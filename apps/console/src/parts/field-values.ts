import type { FieldFacts } from "@reports/client";
import { labelFromName } from "./text.ts";

/** Declared fields by name. */
export type FieldDeclarations = Readonly<Record<string, FieldFacts>>;

/** Returns the label of a declared field. */
export function labelOf(name: string, { title }: FieldFacts): string {
  return title ?? labelFromName(name);
}

/** Makes the function that returns the label of a field by its name, or undefined for names without a place for a message. */
export function labelIn(fields: FieldDeclarations, without: readonly string[]): (name: string) => string | undefined {
  return (name) => (Object.hasOwn(fields, name) && !without.includes(name) ? labelOf(name, fields[name]!) : undefined);
}

/**
 * The values of fields that a fragment contains, except for the fields that a form reads or leaves out by itself. Invalid values are sent as
 * typed, and refused at their field.
 */
export function valuesIn<Input>(
  query: URLSearchParams,
  fields: FieldDeclarations,
  except: readonly string[] = [],
): Partial<Input> {
  const given = Object.entries(fields).flatMap(([name, { kind }]) => {
    const value = except.includes(name) ? null : query.get(name);
    return value === null || value === "" ? [] : [[name, typed(kind, value)] as const];
  });
  return Object.fromEntries(given) as Partial<Input>;
}

function typed(kind: FieldFacts["kind"], value: string): unknown {
  if (kind === "list") return value.split(",");
  if (kind === "flag") return value === "true";
  if (kind === "integer") return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  // A form gives a time in the zone of the browser.
  if (kind === "time" && !Number.isNaN(Date.parse(value))) return new Date(value).toISOString();
  return value;
}
