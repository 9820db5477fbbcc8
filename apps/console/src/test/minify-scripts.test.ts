import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { minifyScripts } from "../../minify-scripts.ts";

test("scripts are minified again only after they change", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reports-minified-"));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const minified: string[] = [];
  const minify = async (scripts: readonly string[]): Promise<readonly string[]> =>
    minifyScripts(scripts, folder, async (script) => {
      minified.push(script);
      return script.toUpperCase();
    });
  expect(await minify(["one", "two"])).toEqual(["ONE", "TWO"]);
  expect(await minify(["one", "two"])).toEqual(["ONE", "TWO"]);
  // Scripts are minified at the same time, so in any order.
  expect(minified.toSorted()).toEqual(["one", "two"]);
  expect(await minify(["two", "three"])).toEqual(["TWO", "THREE"]);
  expect(minified.toSorted()).toEqual(["one", "three", "two"]);
  expect(await readdir(folder)).toHaveLength(2);
});

test("builds at the same time do not remove each other's unfinished files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reports-minified-"));
  onTestFinished(async () => rm(folder, { recursive: true }));
  await writeFile(join(folder, "unfinished.js.1"), "");
  await minifyScripts(["one"], folder, async (script) => script);
  expect(await readdir(folder)).toContain("unfinished.js.1");
});
