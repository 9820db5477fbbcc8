import type { Command } from "commander";
import { findOption, parseCommandWords } from "../parsed-command.ts";
import { splitCommandLine } from "./split-command-line.ts";
import {
  listArgumentCandidates,
  listFlagCandidates,
  type CompletionCandidate,
  type CompletionValueReaders,
} from "./candidate-values.ts";

export interface CompletionDeps extends CompletionValueReaders {
  readonly program: Command;
}

/** Words of only these characters need no quotes in any shell. */
const plainWordPattern = /^[\w.,=/@%+-]+$/;

/** Returns the candidates for the last word of a line. The first word of the line is the name of the program. */
export async function completeLine(deps: CompletionDeps, line: string): Promise<readonly CompletionCandidate[]> {
  const { words, current } = splitCommandLine(line);
  const candidates = await findCandidates(deps, words.slice(1), current);
  return candidates.filter(({ value }) => value.startsWith(current) && plainWordPattern.test(value));
}

/** Returns the last profile that a line names before the cursor. */
export function findProfileInLine(line: string): string | undefined {
  const { words } = splitCommandLine(line);
  return words
    .flatMap((word, at) =>
      word === "--profile" ? words.slice(at + 1, at + 2) : (/^--profile=(.*)$/s.exec(word)?.slice(1) ?? []),
    )
    .at(-1);
}

async function findCandidates(
  deps: CompletionDeps,
  words: readonly string[],
  current: string,
): Promise<readonly CompletionCandidate[]> {
  const { command, args, open } = parseCommandWords(deps.program, words);
  const source = { ...deps, args };
  if (open !== null) return listFlagCandidates(source, open, current);
  if (current.startsWith("-")) {
    const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
    if (flag === undefined || value === undefined) return flagCandidates(command, deps.program);
    const option = findOption(flag, command, deps.program);
    if (option === undefined) return [];
    const values = await listFlagCandidates(source, option, value);
    return values.map((candidate) => ({ ...candidate, value: `${flag}=${candidate.value}` }));
  }
  if (command.commands.length > 0) return commandCandidates(command);
  const argument = command.registeredArguments[args.length];
  return argument === undefined ? [] : listArgumentCandidates(source, argument, current);
}

function commandCandidates(parent: Command): readonly CompletionCandidate[] {
  const visible = parent.createHelp().visibleCommands(parent);
  return visible.map((command) => ({ value: command.name(), description: command.description() }));
}

function flagCandidates(command: Command, program: Command): readonly CompletionCandidate[] {
  return [...new Set([...command.options, ...program.options])].flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ value: long, description }],
  );
}
