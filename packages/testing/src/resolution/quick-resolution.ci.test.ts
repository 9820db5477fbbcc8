import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { checkoutFolder } from "../stand/stand-programs.ts";

test("quick resolution finds the same modules as Node for all imports of the API and the worker", async () => {
  const modules = [
    "apps/api/src/compose.ts",
    "apps/worker/src/compose.ts",
    "apps/worker/src/renderer/render-report.ts",
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      "--conditions=@reports/source",
      join(import.meta.dirname, "quick-resolution.fixture.ts"),
      ...modules.map((path) => join(checkoutFolder, path)),
    ],
    // Without NODE_OPTIONS of the tests, which contains the hook.
    { env: { ...process.env, NODE_OPTIONS: "" } },
  );
  const { differences, imports, quickImports } = JSON.parse(stdout) as Record<string, unknown>;
  expect(differences).toEqual([]);
  expect(imports).toBeGreaterThan(3_000);
  expect(quickImports).toBeGreaterThan((imports as number) * 0.8);
});
