import { Option } from "commander";

/** Creates a flag that can be repeated. Its value is the list of all given values. */
export function createRepeatedOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((value, before) => [
    ...(before ?? []),
    value,
  ]);
}
