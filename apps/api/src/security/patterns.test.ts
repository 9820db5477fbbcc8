import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { isWholeRun } from "@reports/testing";
import { beforeAll, describe, expect, test } from "vitest";
import request from "supertest";
import { startApiUnderTest } from "../test/api-under-test.ts";

/**
 * Every regular expression of ours is analysed by recheck, which counts the steps of a backtracking matcher on the worst text that it can
 * make: no pattern may need more of them than in proportion to the text. Its limits of time are far beyond what its limits of steps take,
 * because a search that ran out of time passes for an attack: a busy machine would make safe patterns bad ones.
 *
 * An analysis depends on the pattern, its flags and recheck alone, and all of them together take two minutes of a processor. So
 * safe-patterns.json lists the patterns that the installed recheck has found safe. Only CI analyses these again. `pnpm generate pattern-table`
 * writes the list (PATTERN_TABLE=write).
 */
const root = join(import.meta.dirname, "../../../..");
// Its own JavaScript, in this process: neither a JVM nor native programs nor a worker.
process.env["RECHECK_BACKEND"] = "pure";
process.env["RECHECK_SYNC_BACKEND"] = "pure";
const { checkSync } = await import("recheck");
const { version } = createRequire(import.meta.url)("recheck/package.json") as { version: string };

/** Of one step of a search. Null would let an attack take all memory before it is told. */
const searchMs = 15_000;

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly at: string;
}

/** What is wrong with a pattern, or null. A pattern that cannot be judged is no better than a bad one. */
function fault({ source, flags, at }: Pattern): string | null {
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

/** The patterns of our sources, and the places where one is made of text. */
function findPatterns(): { readonly literals: readonly Pattern[]; readonly made: readonly string[] } {
  const literals: Pattern[] = [];
  const made: string[] = [];
  const files = globSync("{apps,packages}/*/src/**/*.ts", { cwd: root });
  // What is run by tests alone sees no input of callers.
  for (const file of files.filter((name) => !/\.(test|fixture)\.ts$|^packages\/testing\/|\/src\/test\//.test(name))) {
    const program = parse(stripTypeScriptTypes(readFileSync(join(root, file), "utf8")), {
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

/** Every `pattern` inside the API's description. */
function* patternsIn(value: unknown, at: string): Generator<Pattern> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "pattern" && typeof inner === "string") yield { source: inner, flags: "u", at };
    else yield* patternsIn(inner, `${at}/${key}`);
  }
}

const table = join(import.meta.dirname, "safe-patterns.json");
/** A change need not touch the table for a few patterns more. */
const maxUnlisted = 20;

/** What the table has: of another recheck than the installed one, nothing. */
function readTable(): ReadonlySet<string> {
  const { recheck, safe } = JSON.parse(readFileSync(table, "utf8")) as { recheck: string; safe: string[] };
  return new Set(recheck === version ? safe : []);
}

function writeTable(names: readonly string[]): void {
  writeFileSync(table, `${JSON.stringify({ recheck: version, safe: names.toSorted() }, null, 2)}\n`);
}

const nameOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;

describe("no pattern backtracks more than in proportion to its text", () => {
  let found: ReturnType<typeof findPatterns>;
  let described: readonly Pattern[];
  beforeAll(async () => {
    found = findPatterns();
    await using api = await startApiUnderTest();
    const { body } = await request(api.server).get("/openapi.json");
    described = [...patternsIn(body, "")];
  });

  test("of the regular expressions in the sources, and of those that the API's description gives, zod's own and those made of names of ours among them", async () => {
    expect(found.literals.length).toBeGreaterThan(100);
    expect(described.length).toBeGreaterThan(20);
    const unique = new Map([...found.literals, ...described].map((pattern) => [nameOf(pattern), pattern]));
    const writes = process.env["PATTERN_TABLE"] === "write";
    const listed = readTable();
    const unlisted = [...unique].filter(([name]) => !listed.has(name)).map(([, pattern]) => pattern);
    const analysed = isWholeRun ? [...unique.values()] : unlisted;
    expect(analysed.map(fault).filter((text) => text !== null)).toEqual([]);
    process.stdout.write(`patterns: ${unique.size}, of which ${analysed.length} were analysed\n`);
    if (writes) writeTable([...unique.keys()]);
    expect(writes ? 0 : unlisted.length, "safe, and not listed: pnpm generate pattern-table").toBeLessThan(maxUnlisted);
  }, 900_000);

  test("and nowhere is one made of text at run time", () => {
    expect(found.made).toEqual([]);
  });

  test.each([
    ["one that is exponential", "^(a+)+$", ""],
    ["one that is quadratic", "\\s+$", ""],
    ["one that is quadratic from every place of the text", "a+b", "g"],
    ["one that has to be searched for, because it looks behind", "(?<!x)\\s+$", ""],
  ])("the analysis sees %s", (_, source, flags) => {
    expect(fault({ source, flags, at: "here" })).toMatch(/vulnerable/);
  });
});
