import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("a built app's metrics name the commit that its build has noted, and a checkout's say that nobody knows it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "built-app-"));
  try {
    const moduleUrl = pathToFileURL(join(folder, "dist/compose.js")).href;
    expect((await createMetrics(moduleUrl).render()).body).toContain('report_build_info{revision="unknown"} 1');
    writeFileSync(join(folder, "revision"), "0123abc\n");
    const metrics = createMetrics(moduleUrl);
    expect(metrics.revision).toBe("0123abc");
    expect((await metrics.render()).body).toContain('report_build_info{revision="0123abc"} 1');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
