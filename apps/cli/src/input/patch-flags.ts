import { InvalidArgumentError, Option } from "commander";

/** The names of flags without their dashes, with the field that each sets. */
export type FieldsByFlag = Readonly<Record<string, string>>;

/** Returns the fields by the names of their flags. `flags` are the flags by field. */
export function invertFlags(flags: Readonly<Record<string, string>>): FieldsByFlag {
  return Object.fromEntries(Object.entries(flags).map(([field, flag]) => [flag.replace(/^--(?:no-)?/, ""), field]));
}

/** Creates the flag that returns fields to their defaults. Its value is the list of the named fields. */
export function createResetOption(fields: FieldsByFlag): Option {
  const names = Object.keys(fields);
  const parse = (given: string, before: readonly string[] | undefined): readonly string[] => {
    const name = given.replace(/^--(?:no-)?/, "");
    if (!names.includes(name)) throw new InvalidArgumentError(`Allowed are ${names.join(", ")}.`);
    return [...(before ?? []), fields[name]!];
  };
  return new Option("--reset <flag>", "return what this flag sets to its default; may be repeated")
    .choices(names)
    .argParser<readonly string[] | undefined>(parse);
}

/** Returns null for each of the fields, which a merge patch returns to their defaults (RFC 7396). */
export function nullFields(fields: readonly string[]): Readonly<Record<string, null>> {
  return Object.fromEntries(fields.map((field) => [field, null]));
}
