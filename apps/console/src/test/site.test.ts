import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { buildSite } from "./console-service.ts";

const site = join(import.meta.dirname, "../../dist/site");

beforeAll(buildSite);

test("the page preloads the modules that its script imports", () => {
  const index = readFileSync(join(site, "index.html"), "utf8");
  const script = /src="console\/(main-[^"]+)"/.exec(index)![1]!;
  const begins = [...readFileSync(join(site, script), "utf8").matchAll(/from"\.\/([^"]+\.js)"/g)].map(
    ([, name]) => name,
  );
  expect(begins.length).toBeGreaterThan(0);
  expect([...index.matchAll(/rel="modulepreload" href="console\/([^"]+)"/g)].map(([, name]) => name)).toEqual(begins);
});

test("all files of the console together are smaller than 60 KB compressed", () => {
  const sizes = readdirSync(site).map((name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
});
