import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { trials } from "../../commands/trials.ts";
import { parseCodeBlocks, parseProgramFile, programLanguages, type CodeBlock } from "./parse-page-steps.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = globSync(["README.md", "docs/start/*.md", "docs/guides/**/*.md", "deploy/**/*.md"], { cwd: root });

const languagesOfPages = ["sh", "json", "http", "text", "csv", ...programLanguages];
const runnersByLanguage: Readonly<Record<string, string>> = {
  ...Object.fromEntries(languagesOfPages.map((language) => [language, "the page"])),
  nginx: "pnpm try rolling-restart",
  haproxy: "pnpm try rolling-restart",
  ini: "scripts/test/documents/running-guides.ci.test.ts",
  sql: "packages/db/src/schema/guide-queries.test.ts",
};

const blocksByPage = new Map(pages.map((page) => [page, parseCodeBlocks(read(page))]));
const runnerOf = ({ runner, language }: CodeBlock): string => runner ?? runnersByLanguage[language] ?? "nothing";

function isRunInCi(runner: string): boolean {
  if (runner === "the page") return true;
  const [, trial = ""] = /^pnpm try (\S+)$/.exec(runner) ?? [];
  const steps = [...read(".ci/run").matchAll(/^(?:trial|together) (.+)$/gm)].flatMap(([, names]) => names!.split(" "));
  return trial in trials ? steps.includes(trial) : runner.endsWith(".test.ts") && existsSync(join(root, runner));
}

/** Returns the sources of a trial or a test: its module, and the modules in scripts that it imports or starts. */
function readSources(module: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(module)) return found;
  found.set(module, read(module));
  const paths = found.get(module)!.matchAll(/(?:from|dirname,|checkoutFolder,) "([\w./-]+\.ts)"/g);
  const imported = [...paths].map(([, path = ""]) =>
    path.startsWith("scripts/") ? path : join(dirname(module), path),
  );
  for (const other of imported) if (existsSync(join(root, other))) readSources(other, found);
  return found;
}

function listBlocks(condition: (block: CodeBlock, ofPage: readonly CodeBlock[]) => boolean): readonly string[] {
  return [...blocksByPage].flatMap(([page, blocks]) =>
    blocks.filter((block) => condition(block, blocks)).map(({ line }) => `${page}:${line}`),
  );
}

test("CI runs every block of the README, the tutorial and the guides", () => {
  expect(listBlocks((block) => !isRunInCi(runnerOf(block)))).toEqual([]);
  expect(listBlocks(() => true).length).toBeGreaterThan(250);
});

test("the runner that a block names reads the page of the block", () => {
  const named = [...blocksByPage].flatMap(([page, blocks]) =>
    [...new Set(blocks.map(({ runner }) => runner ?? ""))].filter(Boolean).map((runner) => ({ page, runner })),
  );
  const wrong = named.filter(({ page, runner }) => {
    const sources = readSources(runner.replace(/^pnpm try (\S+)$/, "scripts/commands/$1.ts"));
    // Only names in strings count. Comments also name pages that the runner does not read.
    const name = new RegExp(`["/]${basename(page, ".md")}(?:\\.md)?"`);
    return ![...sources.values()].some((source) => name.test(source));
  });
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(15);
});

test("the commands of a page use every program that its test writes to a file", () => {
  const unused = listBlocks((block, ofPage) => {
    if (!programLanguages.has(block.language) || block.runner !== undefined) return false;
    const file = parseProgramFile(block);
    return !ofPage.some(({ language, code }) => language === "sh" && file !== undefined && code.includes(file));
  });
  expect(unused).toEqual([]);
});

test("every fence of a page belongs to a block that names its language", () => {
  for (const [page, blocks] of blocksByPage)
    expect([page, read(page).match(/^ *```/gm)?.length ?? 0]).toEqual([page, 2 * blocks.length]);
});
