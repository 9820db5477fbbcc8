import { Option } from "commander";

/** A flag that may be given several times: its values as a list, in their order. */
export function repeatedOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((value, before) => [
    ...(before ?? []),
    value,
  ]);
}
