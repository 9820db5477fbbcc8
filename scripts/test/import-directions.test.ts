import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isFullTestRun } from "@reports/testing";
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
    cpSync(join(root, file), join(copy, file), { recursive: true, force: true });
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface Planted {
  readonly file: string;
  readonly source: string;
}

function check(program: string, args: readonly string[], planted: readonly Planted[] = []) {
  for (const { file, source } of planted) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), source);
  }
  const environment = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(join(bin, program), args, {
    cwd: copy,
    encoding: "utf8",
    env: environment,
  });
  for (const { file } of planted) rmSync(join(copy, file));
  return { status, output: stdout + stderr };
}

describe("turbo boundaries", () => {
  test("turbo boundaries finds no forbidden import in the sources of the repository", () => {
    expect(check("turbo", ["boundaries"])).toMatchObject({ status: 0 });
  });

  test("turbo boundaries fails for every forbidden import of a package or of its inner file", () => {
    const cannotImport = (name: string): string => `cannot import package \`${name}\``;
    const forbidden = [
      ["packages/core/src/planted.ts", "@reports/db", cannotImport("@reports/db")],
      ["packages/runtime/src/planted.ts", "@reports/core", cannotImport("@reports/core")],
      ["packages/testing/src/planted.ts", "@reports/db", cannotImport("@reports/db")],
      ["apps/worker/src/planted.ts", "@reports/auth", cannotImport("@reports/auth")],
      ["packages/core/src/planted-too.ts", "koa", cannotImport("koa")],
      ["packages/core/src/planted-inner.ts", "../../db/src/database.ts", "leaves the package"],
    ] as const;
    const { status, output } = check(
      "turbo",
      ["boundaries"],
      forbidden.map(([file, name]) => ({ file, source: `import ${JSON.stringify(name)};\n` })),
    );
    expect(status).not.toBe(0);
    for (const [file, , message] of forbidden) {
      const [about] = output.split(/^(?= *[×x] )/m).filter((problem) => problem.includes(file));
      expect(about).toContain(message);
    }
  });

  // In every run, the test before this one refuses imports of such packages.
  test.runIf(isFullTestRun)("turbo boundaries refuses a dependency that docs/ARCHITECTURE.md does not allow", () => {
    const manifest = { name: "@reports/runtime", version: "0.0.0", dependencies: { "@reports/core": "workspace:*" } };
    const before = join(copy, "packages/runtime/package.json");
    const kept = execFileSync("cat", [before]);
    writeFileSync(before, JSON.stringify(manifest));
    const { status, output } = check("turbo", ["boundaries"]);
    writeFileSync(before, kept);
    expect(status).not.toBe(0);
    expect(output).toMatch(/without any tag listed in allowlist for[^]*`@reports\/runtime`/);
  });
});

const refused = [
  // The first two sources import each other's type.
  [
    "packages/auth/src",
    'import type { B } from "./planted-1.ts";\nexport type A = B[];\n',
    "Dependency cycle detected",
  ],
  [
    "packages/auth/src",
    'import type { A } from "./planted-0.ts";\nexport type B = A[];\n',
    "Dependency cycle detected",
  ],
  ["apps/api/src/routes", 'import { sql } from "drizzle-orm";\nvoid sql;\n', "Only compose.ts wires adapters in"],
  [
    "apps/api/src/routes",
    'import { createDatabase } from "@reports/db";\nvoid createDatabase;\n',
    "Only compose.ts wires adapters in",
  ],
  ["apps/api/src/routes", 'import Koa from "koa";\nvoid Koa;\n', "Only app.ts, endpoint/ and middleware/ see Koa"],
  [
    "apps/worker/src/tasks",
    'import { createDatabase } from "@reports/db";\nvoid createDatabase;\n',
    "Only compose.ts wires adapters in",
  ],
  [
    "apps/cli/src",
    'import { isTerminal } from "@reports/core";\nvoid isTerminal;\n',
    "The command line stands on @reports/client alone",
  ],
  ["packages/core/src", 'import pg from "pg";\nvoid pg;\n', "core is pure domain"],
  [
    "packages/db/src",
    'import { sql } from "drizzle-orm";\nexport const x = sql.raw("1");\n',
    "Look the column up in a table",
  ],
  [
    "packages/db/src",
    'import { sql } from "drizzle-orm";\nexport const x = sql.identifier("a");\n',
    "Look the column up in a table",
  ],
  [
    "packages/db/src",
    'import { sql } from "drizzle-orm";\nexport const x = sql`1`.inlineParams();\n',
    "Let the server quote",
  ],
  ["packages/db/src", "export const x: any = 1;\n", "Unexpected `any`"],
  ["packages/db/src", "const x = 1;\nexport default x;\n", "named export"],
].map(([folder, source, message], index) => ({
  file: `${folder}/planted-${index}.ts`,
  source: source!,
  message: message!,
}));

interface Diagnostic {
  readonly severity: string;
  readonly filename: string;
}

describe("lint", () => {
  let status: number | null;
  let diagnostics: readonly Diagnostic[];
  beforeAll(() => {
    // oxlint runs once for all files, because each run takes seconds to read the whole configuration.
    const found = check("oxlint", ["--format=json", ...refused.map(({ file }) => file)], refused);
    ({ status } = found);
    ({ diagnostics } = JSON.parse(found.output) as { readonly diagnostics: readonly Diagnostic[] });
  });

  test.each(refused)("lint refuses this source in $file: $source", ({ file, message }) => {
    expect(status).not.toBe(0);
    const errors = diagnostics.filter(({ severity, filename }) => severity === "error" && filename === file);
    expect(JSON.stringify(errors)).toContain(message);
  });
});
