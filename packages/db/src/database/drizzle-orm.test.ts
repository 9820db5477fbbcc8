import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("drizzle-orm's package.json lists exports in less than 2,000 characters", async () => {
  const manifest = new URL("package.json", import.meta.resolve("drizzle-orm"));
  const { exports } = JSON.parse(await readFile(manifest, "utf8")) as { exports: object };
  // Without our patch, the package lists 447 exports in 180 KB (docs/decisions/0013).
  expect(JSON.stringify(exports).length).toBeLessThan(2_000);
});
