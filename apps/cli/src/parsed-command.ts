import type { Command, Option } from "commander";

export interface ParsedCommand {
  readonly command: Command;
  readonly args: readonly string[];
  /** The last flag, if the next word is its value. Null if the next word is an argument or a flag. */
  readonly open: Option | null;
  /** The path of names up to the first one that is not a command: `["webhooks", "lst"]`. Null if all are commands. */
  readonly unknown: readonly string[] | null;
}

export function parseCommandWords(program: Command, words: readonly string[]): ParsedCommand {
  let command = program;
  let open: Option | null = null;
  let unknown: readonly string[] | null = null;
  const path: string[] = [];
  const args: string[] = [];
  for (const word of words) {
    if (open !== null) open = null;
    else if (word.startsWith("-")) {
      const option = findOption(word, command, program);
      open = option !== undefined && (option.required || option.optional) ? option : null;
    } else if (command.commands.length === 0) args.push(word);
    // The word `help` is skipped, because `reports help list` means the same as `reports list --help`.
    else if (word !== "help") {
      const found = command.commands.find((one) => one.name() === word);
      path.push(word);
      if (found === undefined) unknown ??= [...path];
      command = found ?? command;
    }
  }
  return { command, args, open, unknown };
}

export function findOption(flag: string, command: Command, program: Command): Option | undefined {
  return [...command.options, ...program.options].find(({ long, short }) => flag === long || flag === short);
}
