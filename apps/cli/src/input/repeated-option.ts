import { Option } from "commander";

export function createRepeatedOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser<readonly string[] | undefined>((value, before) => [
    ...(before ?? []),
    value,
  ]);
}
