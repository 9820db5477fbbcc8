import { Option } from "commander";

/** A flag that can be repeated; its values are a list. */
export function repeatedOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((value, before) => [
    ...(before ?? []),
    value,
  ]);
}
