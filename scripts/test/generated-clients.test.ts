import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCommandsByHeading, generatedClientNames } from "../commands/documented-commands.ts";
import { pypiRequirements } from "../commands/pypi-generators.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/guides/calling/generate-a-client.md");
const commands = parseCommandsByHeading(page);

test("generate-a-client.md has commands for exactly the clients that CI generates", () => {
  expect([...commands.keys()]).toEqual(generatedClientNames);
});

test("generate-a-client.md names the installed versions of the client generators", () => {
  const { devDependencies } = JSON.parse(read("openapi-tools/package.json")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const npm = ["openapi-typescript", "openapi-fetch", "@hey-api/openapi-ts"].map((name) => [
    name,
    devDependencies[name]!,
  ]);
  const pypi = pypiRequirements.map((one) => one.replace("-cli==", "==").split("=="));
  for (const [name, version] of [...npm, ...pypi]) {
    const named = [...page.matchAll(new RegExp(`\\[?${name}(?:\\]\\([^)]*\\))? ([0-9.]+)`, "g"))].map(([, one]) => one);
    expect([name, new Set(named)]).toEqual([name, new Set([version])]);
  }
});

test("generate-a-client.md names the oapi-codegen versions of the Go module", () => {
  const [, generator] = /oapi-codegen@v([0-9.]+) /.exec(commands.get("oapi-codegen")!)!;
  expect(page).toContain(`[oapi-codegen](#oapi-codegen) ${generator}`);
  const [, runtime] = /oapi-codegen\/runtime v([0-9.]+)/.exec(read("openapi-tools/smoke/go/go.mod"))!;
  expect(page).toContain(`\`github.com/oapi-codegen/runtime\` ${runtime}`);
});
