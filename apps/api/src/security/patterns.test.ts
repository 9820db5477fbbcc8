import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { beforeAll, describe, expect, test } from "vitest";
import request from "supertest";
import { startApiUnderTest } from "../test/api-under-test.ts";

/**
 * Every regular expression of ours is analysed by recheck, which counts the steps of a backtracking matcher on the worst text that it can
 * make: no pattern may need more of them than in proportion to the text. Its limits of time are far beyond what its limits of steps take,
 * because a search that ran out of time passes for an attack: a busy machine would make safe patterns bad ones.
 */
const root = join(import.meta.dirname, "../../../..");
// Its own JavaScript, in this process: neither a JVM nor native programs nor a worker.
process.env["RECHECK_BACKEND"] = "pure";
process.env["RECHECK_SYNC_BACKEND"] = "pure";
const { checkSync } = await import("recheck");

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

describe("no pattern backtracks more than in proportion to its text", () => {
  let found: ReturnType<typeof findPatterns>;
  beforeAll(() => {
    found = findPatterns();
  });

  test("of the regular expressions in the sources", () => {
    const { literals } = found;
    expect(literals.length).toBeGreaterThan(100);
    const unique = [...new Map(literals.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()];
    expect(unique.map(fault).filter((text) => text !== null)).toEqual([]);
    process.stdout.write(`patterns: ${unique.length} in ${literals.length} places\n`);
  }, 240_000);

  test("of those that the API's description gives, zod's own and those made of names of ours among them", async () => {
    await using api = await startApiUnderTest();
    const { body } = await request(api.listener).get("/openapi.json");
    const described = [...patternsIn(body, "")];
    expect(described.length).toBeGreaterThan(20);
    const unique = [...new Map(described.map((pattern) => [pattern.source, pattern])).values()];
    expect(unique.map(fault).filter((text) => text !== null)).toEqual([]);
  }, 240_000);

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
