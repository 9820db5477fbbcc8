import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { buildConsoleSite } from "./console-service.ts";

const site = join(import.meta.dirname, "../../dist/site");

beforeAll(buildConsoleSite);

test("the page of the console loads one script, and other modules only on use", () => {
  const index = readFileSync(join(site, "index.html"), "utf8");
  const scripts = [...index.matchAll(/src="console\/([^"]+)"/g)].map(([, name]) => name!);
  expect(scripts).toEqual([expect.stringMatching(/^main-/)]);
  const imports = [...readFileSync(join(site, scripts[0]!), "utf8").matchAll(/(?:from|import|import\()"\.\/[^"]+"/g)];
  expect(imports.map(([text]) => text.slice(0, "import(".length))).toEqual(imports.map(() => "import("));
  expect(imports.length).toBeGreaterThan(0);
});

test("all gzipped files of the console together are smaller than 70,000 bytes", () => {
  const sizes = readdirSync(site).map((name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000);
});
