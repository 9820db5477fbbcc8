import { Help, type Command } from "commander";
import { examples } from "./examples.ts";

export function formatHelp(command: Command, helper: Help): string {
  const path = commandPath(command);
  const shown = (examples[path] ?? []).flatMap(([words, effect]) => [
    `  # ${capitalize(effect)}`,
    `  reports ${words}`,
  ]);
  const syntax = Help.prototype.formatHelp.call(helper, command, helper);
  return [toSentence(command.description()), "", "Examples:", ...shown, "", syntax].join("\n");
}

/** Returns the names of a command and its groups without the program's name: `schedules create`. */
export function commandPath(command: Command): string {
  return command.parent === null ? "" : `${commandPath(command.parent)} ${command.name()}`.trim();
}

function toSentence(text: string): string {
  return `${capitalize(text)}${/[.)]$/.test(text) ? "" : "."}`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
