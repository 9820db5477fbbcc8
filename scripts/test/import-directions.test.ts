import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const bin = join(root, "node_modules", ".bin");
const copy = mkdtempSync(join(tmpdir(), "reports-directions-"));

beforeAll(() => {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const wanted = /^[^/]+\.(json|yaml|ts)$|^\.ox.*json$|^(apps|packages|scripts)\/.*\.(json|ts|mjs)$/;
  for (const file of files
    .trim()
    .split("\n")
    .filter((name) => wanted.test(name))) {
    // A file that another hand has just removed is no part of the copy.
    cpSync(join(root, file), join(copy, file), { recursive: true, force: true });
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs a check on the copy with one more file in it. */
function check(program: string, args: readonly string[], planted?: { readonly file: string; readonly source: string }) {
  if (planted !== undefined) {
    mkdirSync(dirname(join(copy, planted.file)), { recursive: true });
    writeFileSync(join(copy, planted.file), planted.source);
  }
  const environment = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(join(bin, program), args, {
    cwd: copy,
    encoding: "utf8",
    env: environment,
  });
  if (planted !== undefined) rmSync(join(copy, planted.file));
  return { status, output: stdout + stderr };
}

describe("turbo boundaries", () => {
  test("passes on the sources as they are", () => {
    expect(check("turbo", ["boundaries"])).toMatchObject({ status: 0 });
  });

  test.each([
    ["packages/core/src/planted.ts", "@reports/db"],
    ["packages/runtime/src/planted.ts", "@reports/core"],
    ["packages/testing/src/planted.ts", "@reports/db"],
    ["apps/worker/src/planted.ts", "@reports/auth"],
    ["packages/core/src/planted.ts", "koa"],
  ])("fails when %s imports %s", (file, name) => {
    const { status, output } = check("turbo", ["boundaries"], { file, source: `import ${JSON.stringify(name)};\n` });
    expect(status).not.toBe(0);
    expect(output).toContain(`cannot import package \`${name}\``);
  });

  test("fails when a manifest declares what the table does not allow", () => {
    const manifest = { name: "@reports/runtime", version: "0.0.0", dependencies: { "@reports/core": "workspace:*" } };
    const before = join(copy, "packages/runtime/package.json");
    const kept = execFileSync("cat", [before]);
    writeFileSync(before, JSON.stringify(manifest));
    const { status, output } = check("turbo", ["boundaries"]);
    writeFileSync(before, kept);
    expect(status).not.toBe(0);
    expect(output).toMatch(/without any tag listed in allowlist for[^]*`@reports\/runtime`/);
  });

  test("fails when a file reaches into another package past its index", () => {
    const source = 'import "../../db/src/database.ts";\n';
    const { status, output } = check("turbo", ["boundaries"], { file: "packages/core/src/planted.ts", source });
    expect(status).not.toBe(0);
    expect(output).toContain("leaves the package");
  });
});

describe("lint", () => {
  test.each([
    [
      "apps/api/src/routes/planted.ts",
      'import { sql } from "drizzle-orm";\nvoid sql;\n',
      "Only compose.ts wires adapters in",
    ],
    [
      "apps/api/src/routes/planted.ts",
      'import { createDatabase } from "@reports/db";\nvoid createDatabase;\n',
      "Only compose.ts wires adapters in",
    ],
    [
      "apps/api/src/routes/planted.ts",
      'import Koa from "koa";\nvoid Koa;\n',
      "Only app.ts, endpoint/ and middleware/ see Koa",
    ],
    [
      "apps/worker/src/tasks/planted.ts",
      'import { createDatabase } from "@reports/db";\nvoid createDatabase;\n',
      "Only compose.ts wires adapters in",
    ],
    [
      "apps/cli/src/planted.ts",
      'import { isTerminal } from "@reports/core";\nvoid isTerminal;\n',
      "The command line stands on @reports/client alone",
    ],
    ["packages/core/src/planted.ts", 'import pg from "pg";\nvoid pg;\n', "core is pure domain"],
    [
      "packages/db/src/planted.ts",
      'import { sql } from "drizzle-orm";\nexport const x = sql.raw("1");\n',
      "Look the column up in a table",
    ],
    [
      "packages/db/src/planted.ts",
      'import { sql } from "drizzle-orm";\nexport const x = sql.identifier("a");\n',
      "Look the column up in a table",
    ],
    [
      "packages/db/src/planted.ts",
      'import { sql } from "drizzle-orm";\nexport const x = sql`1`.inlineParams();\n',
      "Let the server quote",
    ],
    ["packages/db/src/planted.ts", "export const x: any = 1;\n", "Unexpected `any`"],
    ["packages/db/src/planted.ts", "const x = 1;\nexport default x;\n", "named export"],
  ])("refuses in %s: %j", (file, source, message) => {
    const { status, output } = check("oxlint", [file], { file, source });
    expect(status).not.toBe(0);
    expect(output).toContain(message);
  });
});
