import { Command } from "commander";
import { expect, test } from "vitest";
import { parseDurationMs } from "./duration.ts";
import { createRepeatedOption } from "./repeated-option.ts";
import { startFlags } from "./start-flags.ts";
import { readStartInput } from "./start-input.ts";

function inputOf(...args: readonly string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const flag of Object.values(startFlags)) command.addOption(flag);
  command.addOption(createRepeatedOption("--where <filter=value>", "")).parse(args, { from: "user" });
  return readStartInput("PROXY", command.opts());
}

test("a start without flags sends only the report type", () => {
  expect(inputOf()).toEqual({ reportType: "PROXY" });
});

test("several --where of one filter are alternatives, and a value may contain `=`", () => {
  expect(inputOf("--where", "health=UP", "--where", "q=a=b", "--where", "health=DOWN", "--where", "name=")).toEqual({
    reportType: "PROXY",
    searchParam: { health: ["UP", "DOWN"], q: ["a=b"], name: [""] },
  });
  expect(() => inputOf("--where", "health")).toThrow('--where takes FILTER=VALUE, and was given "health".');
});

test("flags with lists are split at commas, and --sort takes a key with a minus", () => {
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
])("parseDurationMs reads %s as %d ms", (text, ms) => expect(parseDurationMs(text)).toBe(ms));

test.each(["maybe", "Yes", ""])("--accessible refuses %j, which is neither yes nor no", (text) => {
  expect(() => inputOf("--accessible", text)).toThrow("Allowed choices are yes, no.");
});

test.each(["", "0", "-1s", "30x", "m30", "30m ", "1e9", "999999h", "25d"])("parseDurationMs refuses %j", (text) => {
  expect(() => parseDurationMs(text)).toThrow("It must be a duration such as 90s, 30m, 1h30m or 1d");
});

test.each([
  ["yes", true],
  ["no", false],
])("a start with --accessible %s sends accessible: %s", (text, accessible) => {
  expect(inputOf("--accessible", text, "--paper", "LETTER")).toEqual({
    reportType: "PROXY",
    paper: "LETTER",
    accessible,
  });
});
