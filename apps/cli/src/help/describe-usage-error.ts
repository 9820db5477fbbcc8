import type { Command, CommanderError } from "commander";
import { findOption, parseCommandWords } from "../parsed-command.ts";
import type { ErrorDescription } from "../describe-error.ts";
import { exitCodes } from "../exit-code.ts";
import { toSafeText } from "../output/to-safe-text.ts";
import { toCommandPath } from "./format-help.ts";
import { commandSuggestions, flagSuggestions, foreignFlagHints } from "./other-names.ts";

interface CommandLine {
  readonly program: Command;
  readonly words: readonly string[];
  /** How a person calls the program. Commands in messages start with it. */
  readonly name: string;
}

/** Describes an error of commander in three lines: the error, a suggestion if there is one, and the command that shows the help. */
export function describeUsageError(error: CommanderError, { program, words, name }: CommandLine): ErrorDescription {
  // commander ends --help and --version with an error, whose exit code is 0.
  if (error.exitCode === 0) return { exitCode: exitCodes.done, lines: [] };
  // commander throws this error after it has printed the help of a command group that was called without a command.
  if (error.code === "commander.help") return { exitCode: exitCodes.usage, lines: [] };
  const { command } = parseCommandWords(program, words);
  const [problem = "", ...similar] = error.message.split("\n");
  const hint = findHint(error, command, program, words);
  const help = [name, toCommandPath(command), "--help"].filter((part) => part !== "").join(" ");
  return {
    exitCode: exitCodes.usage,
    lines: [problem, ...(hint === null ? similar : [hint]), `See: ${help}`].map(toSafeText),
  };
}

function findHint(
  { code, message }: CommanderError,
  command: Command,
  program: Command,
  words: readonly string[],
): string | null {
  const [, given = ""] = /'(.*)'/.exec(message) ?? [];
  if (code === "commander.unknownCommand") {
    const found = commandSuggestions.get(given)?.find((one) => command.commands.some((other) => other.name() === one));
    return found === undefined ? findFlagHint(`--${given}`, command, program) : didYouMean(found);
  }
  if (code === "commander.unknownOption") return findFlagHint(given, command, program);
  if (code === "commander.excessArguments" && words.includes("--json"))
    return "--json has no value. To choose fields, use another program, such as jq.";
  return null;
}

function findFlagHint(given: string, command: Command, program: Command): string | null {
  // A value may follow the flag: --output=json, -ojson.
  const [flag] = /^--[^=]+|^-./.exec(given) ?? [given];
  const found = flagSuggestions.get(flag)?.find((one) => findOption(one, command, program) !== undefined);
  return found === undefined ? (foreignFlagHints.get(flag) ?? null) : didYouMean(found);
}

function didYouMean(word: string): string {
  return `(Did you mean ${word}?)`;
}
