import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(read("package.json")) as { readonly version: string };

const inManifest = /(?<="version": ")[^"]*/;

const places: readonly (readonly [file: string, pattern: RegExp])[] = [
  ...globSync("{{apps,packages}/*,scripts,torture,bench,openapi-tools}/package.json", { cwd: root }).map(
    (file) => [file, inManifest] as const,
  ),
  ["packages/core/src/base/version.ts", /(?<=coreVersion = ")[^"]*/],
  ["deploy/chart/Chart.yaml", /(?<=^(?:version|appVersion): ")[^"]*/gm],
  ["deploy/api.Dockerfile", /(?<=image\.version=")[^"]*/],
  ["deploy/worker.Dockerfile", /(?<=image\.version=")[^"]*/],
];

test.each(places)("%s has the version of the root's package.json, by the pattern %s", async (file, pattern) => {
  const text = read(file);
  expect(text).toMatch(pattern);
  await expect(text.replace(pattern, version)).toMatchFileSnapshot(join(root, file));
});

test("CHANGELOG.md and docs/upgrading.md have a section for the current version", () => {
  expect(read("CHANGELOG.md")).toContain(`\n## ${version} - 20`);
  expect(read("docs/upgrading.md")).toContain(`\n## ${version}\n`);
});

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
