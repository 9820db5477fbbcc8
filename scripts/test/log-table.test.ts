import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const file = join(root, "docs/reference/logs.md");
const sources = globSync(["apps/{api,worker}/src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: root }).filter(
  (path) => !/\.(?:test|fixture)\.ts$|\/test\/|^packages\/testing\//.test(path),
);
const call = /\b[lL]ogger\.(debug|info|warn|error|fatal)\(\s*(?:"((?:[^"\\]|\\.)*)")?/g;
const calls = sources.flatMap((path) =>
  [...readFileSync(join(root, path), "utf8").matchAll(call)].map(([, level, message]) => ({
    process: /^apps\/(\w+)/.exec(path)?.[1]?.replace("api", "API") ?? "both",
    level: level!,
    message,
    path,
  })),
);

test("every log call in the sources has a constant message", () => {
  expect(calls.filter(({ message }) => message === undefined).map(({ path }) => path)).toEqual([]);
});

test("`pnpm generate log-table` writes docs/reference/logs.md", async () => {
  const rows = calls.map(({ process, level, message }) => `| ${process} | ${level} | ${message!} |`);
  const table = ["| process | level | message |", "|---|---|---|", ...new Set(rows.toSorted())].join("\n");
  const page = readFileSync(file, "utf8").replace(
    /(<!-- begin messages -->\n)[^]*?(<!-- end -->)/,
    (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`,
  );
  await expect(page).toMatchFileSnapshot(file);
});
