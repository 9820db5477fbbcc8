import { InvalidArgumentError, Option } from "commander";

/** The field that each flag sets, by the name of the flag without its dashes. */
export type FieldsByFlagName = Readonly<Record<string, string>>;

export function toFieldsByFlagName(flags: Readonly<Record<string, string>>): FieldsByFlagName {
  return Object.fromEntries(Object.entries(flags).map(([field, flag]) => [flag.replace(/^--(?:no-)?/, ""), field]));
}

/** Creates `--reset`, which takes names of flags. Its value is the list of their fields. */
export function createResetOption(fields: FieldsByFlagName): Option {
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

/** Returns a patch in which null returns each field to its default (RFC 7396). */
export function toResetPatch(fields: readonly string[]): Readonly<Record<string, null>> {
  return Object.fromEntries(fields.map((field) => [field, null]));
}
