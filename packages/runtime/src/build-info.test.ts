import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("the metrics show the app's version, and its commit if the build recorded one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "built-app-"));
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "1.2.3" }));
    const moduleUrl = pathToFileURL(join(folder, "dist/compose.js")).href;
    const unknown = createMetrics(moduleUrl);
    expect((await unknown.render()).body).toContain('report_build_info{version="1.2.3",revision="unknown"} 1');
    writeFileSync(join(folder, "revision"), "0123abc\n");
    const metrics = createMetrics(moduleUrl);
    expect(metrics.build).toEqual({ version: "1.2.3", revision: "0123abc" });
    expect((await metrics.render()).body).toContain('report_build_info{version="1.2.3",revision="0123abc"} 1');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
