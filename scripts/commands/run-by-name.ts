import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { commandGroups, type NamedCommand } from "./named-commands.ts";
import { describeTrial } from "./trials.ts";

const [node = "", , script = "", given, ...rest] = process.argv;
const { about, commands, byDefault = "--help" } = commandGroups[script]!;
const name = given ?? byDefault;

if (isHelp(name)) process.stdout.write(listCommands());
else if (Object.hasOwn(commands, name)) await runNamed(commands[name]!);
else fail(`There is no command "${name}".\n\n${listCommands()}`);

/** Imports the module of a command. Sets `process.argv` so that the module sees the arguments as if Node had been started with it. */
async function runNamed({ module, args = [], environment, trial }: NamedCommand): Promise<void> {
  if (trial !== undefined) {
    if (rest.some(isHelp)) return void process.stdout.write(describeTrial(name, trial));
    if (trial.options === undefined && rest.length > 0) return fail(`${name} takes no arguments. See --help.`);
    process.stderr.write(`${trial.shows}\n`);
  }
  const path = join(import.meta.dirname, "../..", module);
  process.argv = [node, path, ...args, ...rest];
  Object.assign(process.env, environment);
  // `npm run --silent` would also silence every npm that the command runs, and so hide why it failed.
  delete process.env["npm_config_loglevel"];
  await import(pathToFileURL(path).href);
}

function listCommands(): string {
  const listed = Object.entries(commands).map(([each, { about: says }]) => `  ${each.padEnd(20)} ${says}\n`);
  return `Usage: pnpm ${script} NAME [ARGUMENTS]\n\n${about}\n\n${listed.join("")}`;
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
