import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("many-rows.fixture.ts", import.meta.url));

test("a pdf of 200,000 rows is rendered in a heap that could not hold the rows", { timeout: 120_000 }, () => {
  const heap = ["--max-old-space-size=64", "--max-semi-space-size=8"];
  const output = execFileSync(process.execPath, ["--conditions=@reports/source", ...heap, program], {
    encoding: "utf8",
  });
  const result = JSON.parse(output) as { rowsSeen: number; written: number; peakMb: number };
  expect(result.rowsSeen).toBe(200_000);
  expect(result.written).toBeGreaterThan(5_000_000);
  expect(result.peakMb).toBeLessThan(250);
});
