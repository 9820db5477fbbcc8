import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coreVersion } from "./version.ts";

test("the version that definitions carry is that of the package", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(coreVersion).toBe((JSON.parse(manifest) as { readonly version: string }).version);
});
