import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { createProgramForInspection } from "../test/unused-program.ts";
import { describeUsageError } from "./describe-usage-error.ts";
import { commandSuggestions, flagSuggestions, foreignFlagHints } from "./other-names.ts";

async function describeLine(line: string, name = "reports") {
  const program = createProgramForInspection();
  const words = line.split(" ");
  const error = await program.parseAsync(words, { from: "user" }).catch((thrown: unknown) => thrown);
  if (!(error instanceof CommanderError)) throw new Error(`commander accepted ${line}.`);
  return describeUsageError(error, { program, words, name });
}

test.each([
  ["list -o json", "For JSON, use --json."],
  ["list -ojson", "For JSON, use --json."],
  ["schedules list --output=json", "For JSON, use --json."],
  ["list --json id,title", "--json has no value."],
  ["list --jq .id", "jq"],
  ["list -L 3", "(Did you mean --limit?)"],
  ["list --limt 3", "(Did you mean --limit?)"],
  ["run PROXY --filter health=UP", "(Did you mean --where?)"],
  ["list --context test", "(Did you mean --profile?)"],
  ["delete 7ca5b472 --yes", "asks for no confirmation"],
  ["start PROXY --wait", "`run` waits"],
  ["-v", "(Did you mean --version?)"],
  ["version", "(Did you mean --version?)"],
  ["lits", "(Did you mean list?)"],
  ["show 7ca5b472", "(Did you mean status?)"],
  ["logs 7ca5b472", "(Did you mean events?)"],
  ["schedules show c6d30b3b", "(Did you mean get?)"],
  ["webhooks new https://example.com", "(Did you mean create?)"],
])("the error of `reports %s` says what to do: %s", async (line, hint) => {
  const { exitCode, lines } = await describeLine(line);
  expect(exitCode).toBe(2);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^error: /);
  expect(lines[1]).toContain(hint);
});

test.each([
  ["nonsense", "See: reports --help"],
  ["constructor", "See: reports --help"],
  ["status", "See: reports status --help"],
  ["--json schedules create PROXY", "See: reports schedules create --help"],
  ["schedules nonsense", "See: reports schedules --help"],
])("the error of `reports %s` ends with %j", async (line, help) => {
  expect((await describeLine(line)).lines.slice(1)).toEqual([help]);
});

test("in a checkout, a usage error suggests the help command as a person calls it", async () => {
  const { lines } = await describeLine("list --nonsense", "npm exec --no -- reports");
  expect(lines.at(-1)).toBe("See: npm exec --no -- reports list --help");
});

test("an error that quotes a word of the command line escapes control characters", async () => {
  expect((await describeLine("list --\u001b[2J")).lines[0]).toBe("error: unknown option '--\\u{1b}[2J'");
});

test("every suggestion for another program's command or flag names an existing one", () => {
  const program = createProgramForInspection();
  const commands = [program, ...program.commands].flatMap((command) => [command, ...command.commands]);
  const names = new Set(commands.map((command) => command.name()));
  const flags = new Set(commands.flatMap(({ options }) => options.map(({ long }) => long)));
  expect([...commandSuggestions.values()].flat().filter((name) => !names.has(name))).toEqual([]);
  expect([...flagSuggestions.values()].flat().filter((flag) => !flags.has(flag))).toEqual([]);
  expect([...foreignFlagHints.keys()].filter((flag) => flagSuggestions.has(flag))).toEqual([]);
});
