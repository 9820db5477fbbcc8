import type { Command } from "commander";
import { expect, test } from "vitest";
import { findOption, parseCommandWords } from "../parsed-command.ts";
import { splitCommandLine } from "../completion/split-command-line.ts";
import { createProgramForInspection } from "../test/unused-program.ts";
import { commandExamples } from "./command-examples.ts";
import { toCommandPath } from "./format-help.ts";

const program = createProgramForInspection();

function commandsOf(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return [command, ...visible.filter((each) => each.name() !== "help").flatMap(commandsOf)];
}

const pages = commandsOf(program).map((command) => ({ command, path: toCommandPath(command) }));

test("the help of every command has examples before its options", () => {
  for (const { command, path } of pages) {
    const help = command.helpInformation().replaceAll(/ \\\n +/g, " ");
    const [words] = commandExamples[path]![0]!;
    expect(help).toContain(`Examples:\n  # `);
    expect(help.indexOf(`  reports ${words}\n`)).toBeLessThan(help.indexOf("Usage: reports"));
    expect(help.indexOf("Usage: reports")).toBeLessThan(help.indexOf("Options:"));
  }
  expect(Object.keys(commandExamples).toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
});

test.each([80, 100, 140])("no line of any help is longer than %d columns", (columns) => {
  for (const { command } of pages) {
    command.configureOutput({ getOutHelpWidth: () => columns });
    const lines = command.helpInformation().split("\n");
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test.each(Object.entries(commandExamples))(
  "the examples of %j have known commands, flags and arguments",
  (path, lines) => {
    for (const [words] of lines) {
      const { words: before, current } = splitCommandLine(words.replace(/ < \S+$/, ""));
      const { command, args, open, unknown } = parseCommandWords(program, [...before, current]);
      expect({ unknown, open }).toEqual({ unknown: null, open: null });
      expect(toCommandPath(command).startsWith(path)).toBe(true);
      const required = command.registeredArguments.filter((argument) => argument.required);
      expect(args.length).toBeGreaterThanOrEqual(required.length);
      expect(args.length).toBeLessThanOrEqual(command.registeredArguments.length);
      const flags = before.filter((word) => /^-+[a-z]/.test(word));
      expect(flags.filter((flag) => findOption(flag, command, program) === undefined)).toEqual([]);
      for (const { long, mandatory } of command.options) expect(mandatory && !flags.includes(long!)).toBe(false);
    }
  },
);
