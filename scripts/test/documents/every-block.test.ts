import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { trials } from "../../commands/trials.ts";
import { parseCodeBlocks, type CodeBlock } from "./parse-page-steps.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = globSync(["README.md", "docs/start/*.md", "docs/guides/running/*.md", "deploy/**/*.md"], { cwd: root });

const runnersByLanguage: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["sh", "ts", "json", "http", "text", "csv"].map((language) => [language, "the page"])),
  nginx: "pnpm try rolling-restart",
  haproxy: "pnpm try rolling-restart",
  ini: "scripts/test/documents/running-guides.ci.test.ts",
  sql: "packages/db/src/schema/guide-queries.test.ts",
};

const blocks = pages.flatMap((page) => parseCodeBlocks(read(page)).map((block) => ({ ...block, page })));
const runnerOf = ({ runner, language }: CodeBlock): string => runner ?? runnersByLanguage[language] ?? "nothing";

function isRunInCi(runner: string): boolean {
  if (runner === "the page") return true;
  const [, trial = ""] = /^pnpm try (\S+)$/.exec(runner) ?? [];
  const steps = [...read(".ci/run").matchAll(/^(?:trial|together) (.+)$/gm)].flatMap(([, names]) => names!.split(" "));
  return trial in trials ? steps.includes(trial) : runner.endsWith(".test.ts") && existsSync(join(root, runner));
}

test("CI runs every block of the README, the tutorial and the guides for operators", () => {
  const unrun = blocks.filter((block) => block.reason !== undefined || !isRunInCi(runnerOf(block)));
  expect(unrun.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(100);
});
