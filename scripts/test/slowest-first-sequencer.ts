import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = join(import.meta.dirname, "../..");

/** The slowest test files, the slowest first. They start first: if one started last, it would run alone at the end. */
const slowestTests = [
  "apps/api/src/security/patterns.test.ts",
  "apps/worker/src/sources/report-sources.test.ts",
  "scripts/start/npm-start-process.test.ts",
  "apps/console/src/shell/issuer-sign-in.test.ts",
  "apps/worker/src/worker-deaths.test.ts",
  "apps/api/src/security/hostile-input.test.ts",
  "apps/console/src/test/every-page.test.ts",
  "scripts/test/listening-ports.test.ts",
  "apps/worker/src/renderer/renderer-pool.test.ts",
  "apps/console/src/reports/reports.test.ts",
  "apps/worker/src/host/broken-spool.test.ts",
  "apps/worker/src/worker-process.test.ts",
  "apps/console/src/test/unusual-browsers.test.ts",
  "apps/worker/src/report-types/other-report-type.test.ts",
  "scripts/commands/commands.test.ts",
].map((path) => join(root, path));

/**
 * Orders test files: the slow ones of the list first, then those that only CI runs, then all others in vitest's order. Vitest orders by earlier
 * durations. In a clean checkout, it orders by size.
 */
export class SlowestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = slowestTests.filter((path) => !existsSync(path));
    if (missing.length > 0) throw new Error(`There is no ${missing.join(", ")}: slowest-first-sequencer.ts names it.`);
    const others = await super.sort(files.filter(({ moduleId }) => !slowestTests.includes(moduleId)));
    const first = slowestTests.flatMap((path) => files.filter(({ moduleId }) => moduleId === path));
    // Files that only CI runs are slow but small. Where vitest has no earlier durations, it orders by size and would start them last.
    const { onlyInCi = [], always = [] } = Object.groupBy(others, ({ moduleId }) =>
      moduleId.endsWith(".ci.test.ts") ? "onlyInCi" : "always",
    );
    return [...first, ...onlyInCi, ...always];
  }
}
