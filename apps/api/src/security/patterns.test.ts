import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { createTestCaseDivider, isFullTestRun } from "@reports/testing";
import { beforeAll, describe, expect, test } from "vitest";
import request from "supertest";
import { startApiUnderTest } from "../test/api-under-test.ts";

/**
 * recheck analyses each of our regular expressions. It counts the steps of a backtracking matcher on the worst text that it can find. The
 * number of steps must be linear in the length of the text. The time limits of recheck are long, because it reports a search that runs out of
 * time as an attack, which would happen on a busy machine.
 *
 * A result depends only on the pattern, its flags and the version of recheck, and all analyses take two minutes. So safe-patterns.json lists the
 * patterns that the installed version has found safe. Only CI analyses these again. `pnpm generate pattern-table` writes the list
 * (PATTERN_TABLE=write).
 */
const root = join(import.meta.dirname, "../../../..");
// This makes recheck run as JavaScript in this process, not as a JVM, a native program or a worker.
process.env["RECHECK_BACKEND"] = "pure";
process.env["RECHECK_SYNC_BACKEND"] = "pure";
const { checkSync } = await import("recheck");
const { version } = createRequire(import.meta.url)("recheck/package.json") as { version: string };

/** Time limit of one search for an attack, in milliseconds. Without a limit, a search could use up all memory before it reports the attack. */
const searchMs = 60_000;

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly at: string;
}

/** Returns why a pattern is unsafe, or null for a safe one. A pattern that recheck cannot analyse counts as unsafe. */
function describeUnsafePattern({ source, flags, at }: Pattern): string | null {
  const verdict = checkSync(source, flags, {
    timeout: null,
    seedingTimeout: searchMs,
    incubationTimeout: searchMs,
    attackTimeout: searchMs,
  });
  if (verdict.status === "safe") return null;
  const attack = verdict.status === "vulnerable" ? verdict.attack.pattern : "";
  const kind = verdict.status === "vulnerable" ? verdict.complexity.summary : verdict.error.kind;
  return `${at} /${source}/${flags} is ${verdict.status}: ${kind} ${attack}`;
}

/**
 * Matches a text that can contain a regular expression: a slash after an operator, bracket or keyword, or `RegExp`. Parsing takes seconds for all
 * sources, so that only CI parses the others too.
 */
const canHavePattern = /RegExp|(?:[^\w$)\]"'`\s./*]|\b(?:return|case|of|in|await|yield|typeof|else))\s*\/[^/*]/;

/** Returns the regular expressions in our sources, and the files that create one from a text with `RegExp()`. */
function findPatterns(): { readonly literals: readonly Pattern[]; readonly made: readonly string[] } {
  const literals: Pattern[] = [];
  const made: string[] = [];
  const files = globSync("{apps,packages}/*/src/**/*.ts", { cwd: root });
  // Files that run only in tests are excluded, because callers cannot reach them.
  for (const file of files.filter((name) => !/\.(test|fixture)\.ts$|^packages\/testing\/|\/src\/test\//.test(name))) {
    const source = readFileSync(join(root, file), "utf8");
    if (!isFullTestRun && !canHavePattern.test(source)) continue;
    const program = parse(stripTypeScriptTypes(source), {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
    });
    full(program, (node) => {
      const at = `${file}:${node.loc?.start.line}`;
      if (node.type === "Literal" && node.regex) {
        literals.push({ source: node.regex.pattern, flags: node.regex.flags, at });
      }
      if (node.type !== "NewExpression" && node.type !== "CallExpression") return;
      if (node.callee.type === "Identifier" && node.callee.name === "RegExp") made.push(file);
    });
  }
  return { literals, made };
}

function* patternsIn(value: unknown, at: string): Generator<Pattern> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "pattern" && typeof inner === "string") yield { source: inner, flags: "u", at };
    else yield* patternsIn(inner, `${at}/${key}`);
  }
}

const table = join(import.meta.dirname, "safe-patterns.json");
/** Maximum number of patterns that the table lacks. The test analyses them on every run, which takes time. */
const maxUnlisted = 20;

/** Returns the patterns in the table that are known to be safe. Returns none if another version of recheck wrote the table. */
function readTable(): ReadonlySet<string> {
  const { recheck, safe } = JSON.parse(readFileSync(table, "utf8")) as { recheck: string; safe: string[] };
  return new Set(recheck === version ? safe : []);
}

function writeTable(names: readonly string[]): void {
  writeFileSync(table, `${JSON.stringify({ recheck: version, safe: names.toSorted() }, null, 2)}\n`);
}

const nameOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;

describe("backtracking of patterns", () => {
  let found: ReturnType<typeof findPatterns>;
  let described: readonly Pattern[];
  beforeAll(async () => {
    found = findPatterns();
    await using api = await startApiUnderTest();
    const { body } = await request(api.server).get("/openapi.json");
    described = [...patternsIn(body, "")];
  });

  test("every regular expression in the sources and in OpenAPI takes linear time", async () => {
    expect(found.literals.length).toBeGreaterThan(100);
    expect(described.length).toBeGreaterThan(20);
    const unique = new Map([...found.literals, ...described].map((pattern) => [nameOf(pattern), pattern]));
    const writes = process.env["PATTERN_TABLE"] === "write";
    const listed = readTable();
    const unlisted = [...unique].filter(([name]) => !listed.has(name)).map(([, pattern]) => pattern);
    const analysed = isFullTestRun ? [...unique.values()] : unlisted;
    expect(analysed.map(describeUnsafePattern).filter((text) => text !== null)).toEqual([]);
    process.stdout.write(`patterns: ${unique.size}, of which ${analysed.length} were analysed\n`);
    if (writes) writeTable([...unique.keys()]);
    expect(writes ? 0 : unlisted.length, "safe, and not listed: pnpm generate pattern-table").toBeLessThan(maxUnlisted);
  }, 900_000);

  test("no source creates a regular expression from text at run time", () => {
    expect(found.made).toEqual([]);
  });

  const unsafe = [
    ["exponential", "^(a+)+$", ""],
    ["quadratic", "\\s+$", ""],
    ["quadratic because it can match at every position", "a+b", "g"],
    ["quadratic and has a lookbehind", "(?<!x)\\s+$", ""],
  ] as const;
  // Outside of CI, only the first expression is analysed, because an analysis takes long.
  test.each(createTestCaseDivider()(unsafe, 4))(
    "the analysis finds a regular expression that is %s",
    (_, source, flags) => {
      expect(describeUnsafePattern({ source, flags, at: "here" })).toMatch(/vulnerable/);
    },
  );
});
