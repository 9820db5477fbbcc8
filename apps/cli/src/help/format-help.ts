import { Help, type Command } from "commander";
import { environmentHelp } from "../connection.ts";
import { exitCodeHelp } from "../exit-code.ts";
import { wrapText } from "../output/wrap-text.ts";
import { commandExamples } from "./command-examples.ts";

/** Width of help that is not printed on a terminal. It equals commander's default. */
const defaultWidth = 80;

/** Returns the help of a command, in lines of the terminal's width. Long examples continue after a backslash, so that a shell can run them. */
export function formatHelp(command: Command, helper: Help): string {
  const path = toCommandPath(command);
  const width = helper.helpWidth ?? defaultWidth;
  const shown = (commandExamples[path] ?? []).flatMap(([words, effect]) => [
    ...wrapText(capitalize(effect), width - commentStart.length, true).map((line) => `${commentStart}${line}`),
    wrapExample(`  reports ${words}`, width),
  ]);
  const syntax = Help.prototype.formatHelp.call(helper, command, helper);
  const notes = path === "" ? [environmentHelp, exitCodeHelp] : [];
  return [
    ...wrapText(toSentence(command.description()), width, true),
    "",
    "Examples:",
    ...shown,
    "",
    syntax,
    ...notes.map((note) => `${wrapText(note, width, true).join("\n")}\n`),
  ].join("\n");
}

const commentStart = "  # ";

/** Returns the names of a command and its groups without the program's name: `schedules create`. */
export function toCommandPath(command: Command): string {
  return command.parent === null ? "" : `${toCommandPath(command.parent)} ${command.name()}`.trim();
}

/** Breaks a command line before flags, so that no argument is broken. */
function wrapExample(line: string, width: number): string {
  const parts = line.split(/ (?=--?[a-z])/);
  const lines = [parts[0]!];
  for (const part of parts.slice(1)) {
    const longer = `${lines.at(-1)} ${part}`;
    // Each line except the last one also needs two columns for the space and the backslash at its end.
    if (longer.length + 2 <= width) lines[lines.length - 1] = longer;
    else lines.push(`      ${part}`);
  }
  return lines.join(" \\\n");
}

function toSentence(text: string): string {
  return `${capitalize(text)}${/[.)]$/.test(text) ? "" : "."}`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
