import { Command } from "commander";
import { expect, test } from "vitest";
import { parseDuration } from "./duration.ts";
import { repeatedOption } from "./repeated-option.ts";
import { startFlags } from "./start-flags.ts";
import { readStartInput } from "./start-input.ts";

function inputOf(...args: readonly string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const flag of Object.values(startFlags)) command.addOption(flag);
  command.addOption(repeatedOption("--where <filter=value>", "")).parse(args, { from: "user" });
  return readStartInput("PROXY", command.opts());
}

test("nothing but the type is sent where nothing else is given", () => {
  expect(inputOf()).toEqual({ reportType: "PROXY" });
});

test("conditions on one filter are alternatives, and a value may hold anything", () => {
  expect(inputOf("--where", "health=UP", "--where", "q=a=b", "--where", "health=DOWN", "--where", "name=")).toEqual({
    reportType: "PROXY",
    searchParam: { health: ["UP", "DOWN"], q: ["a=b"], name: [""] },
  });
  expect(() => inputOf("--where", "health")).toThrow('--where takes FILTER=VALUE, and was given "health".');
});

test("lists are separated by commas, and a descending key is no flag", () => {
  expect(inputOf("--sort", "-name,kind", "--columns", "name, kind", "--no-csv-bom", "--group-by", "region")).toEqual({
    reportType: "PROXY",
    sort: ["-name", "kind"],
    columns: ["name", "kind"],
    csvBom: false,
    groupBy: "region",
  });
});

test.each([
  ["90", 90_000],
  ["90s", 90_000],
  ["1h30m", 5_400_000],
  ["1.5m", 90_000],
  ["250ms", 250],
  ["1d", 86_400_000],
  ["1d12h", 129_600_000],
])("%s is %d ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each(["maybe", "Yes", ""])("--accessible %j is neither yes nor no", (text) => {
  expect(() => inputOf("--accessible", text)).toThrow("Allowed choices are yes, no.");
});

test.each(["", "0", "-1s", "30x", "m30", "30m ", "1e9", "999999h", "25d"])("%j is no time", (text) => {
  expect(() => parseDuration(text)).toThrow("It must be a duration such as 90s, 30m, 1h30m or 1d");
});

test.each([
  ["yes", true],
  ["no", false],
])("a pdf is tagged or not as is said: --accessible %s", (text, accessible) => {
  expect(inputOf("--accessible", text, "--paper", "LETTER")).toEqual({
    reportType: "PROXY",
    paper: "LETTER",
    accessible,
  });
});
