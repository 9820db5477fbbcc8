import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isFullTestRun } from "@reports/testing";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("million-rows.fixture.ts", import.meta.url));

// The file csv takes the least processor time, so the short run makes only this one.
it.each(isFullTestRun ? ["csv", "ndjson", "xlsx"] : ["csv"])(
  "a renderer makes a %s file of a million rows in a heap of 128 MB",
  { timeout: 120_000 },
  (format) => {
    const folder = mkdtempSync(join(tmpdir(), "million-rows-"));
    try {
      const output = execFileSync(
        process.execPath,
        ["--max-old-space-size=128", program, format, join(folder, "spool")],
        {
          encoding: "utf8",
        },
      );
      const result = JSON.parse(output) as { rowCount: number; sizeBytes: number; peakMb: number };
      expect(result.rowCount).toBe(1_000_000);
      // All rows together take about 130 MB. A renderer that kept them would exceed this limit.
      expect(result.peakMb).toBeLessThan(format === "xlsx" ? 330 : 220);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
