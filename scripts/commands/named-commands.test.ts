import { spawnSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { commandGroups } from "./named-commands.ts";
import { trials } from "./trials.ts";

const root = join(import.meta.dirname, "../..");

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

test("CONTRIBUTING.md explains every script of package.json", () => {
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: object };
  const page = read("CONTRIBUTING.md");
  expect(Object.keys(scripts).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test("the module and the test file of every command exist", () => {
  const paths = Object.values(commandGroups)
    .flatMap(({ commands }) => Object.values(commands))
    .flatMap(({ module, args = [] }) => [module, ...args.filter((arg) => arg.endsWith(".test.ts"))]);
  expect(paths.filter((path) => !statSync(join(root, path), { throwIfNoEntry: false })?.isFile())).toEqual([]);
});

test("pnpm operate offers exactly the commands of both images", () => {
  const ofImages = new Set(globSync("apps/{api,worker}/bin/*", { cwd: root }).map((path) => basename(path)));
  expect(Object.keys(commandGroups["operate"]!.commands).toSorted()).toEqual([...ofImages].toSorted());
});

test(".ci/run runs every trial exactly once, and no other", () => {
  const steps = [...read(".ci/run").matchAll(/^(trial|together) (.+)$/gm)];
  const run = steps.flatMap(([, how, words = ""]) =>
    how === "trial" ? words.split(" ", 1) : words.match(/"[^"]+"|\S+/g)!.map((word) => /[\w-]+/.exec(word)![0]),
  );
  expect(run.toSorted()).toEqual(Object.keys(trials).toSorted());
});

test("a named command gets its arguments, and a wrong name or argument exits with 2", () => {
  const run = (...args: readonly string[]) => {
    const program = [...process.execArgv, join(import.meta.dirname, "run-by-name.ts"), ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: "utf8" });
    return { status, stdout, stderr };
  };
  expect(run("operate", "migrate", "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("--move-queue"),
  });
  expect(run("operate", "migrate", "--no-such-option")).toMatchObject({ status: 2, stdout: "" });
  expect(run("operate", "toString")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining("store-marker"),
  });
  expect(run("try", "images", "--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Needs root") });
  expect(run("try", "images", "--short")).toMatchObject({ status: 2, stdout: "" });
  expect(run("try")).toMatchObject({ status: 0, stdout: expect.stringContaining("check-chart") });
});
