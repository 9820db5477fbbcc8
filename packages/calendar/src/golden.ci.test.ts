import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("Python's zoneinfo computes the same golden table of runs, minute by minute", async () => {
  const golden: unknown = JSON.parse(readFileSync(new URL("./golden.json", import.meta.url), "utf8"));
  const script = join(import.meta.dirname, "golden.py");
  const { stdout } = await promisify(execFile)("python3", [script], { maxBuffer: 2 ** 24 });
  expect(JSON.parse(stdout)).toEqual(golden);
});
