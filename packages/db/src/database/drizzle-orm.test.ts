import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("our patch shortens drizzle-orm's exports to less than 2,000 characters", async () => {
  const manifest = new URL("package.json", import.meta.resolve("drizzle-orm"));
  const { exports } = JSON.parse(await readFile(manifest, "utf8")) as { exports: object };
  expect(JSON.stringify(exports).length).toBeLessThan(2_000);
});
