import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = join(import.meta.dirname, "../..");

/** What takes longest, most of it with one processor or waiting: begun late, it would run alone at the end. The longest is first. */
const lengthy = [
  "apps/console/src/test/every-page.test.ts",
  "apps/console/src/reports/waiting-reports.test.ts",
  "apps/worker/src/worker-process.test.ts",
  "scripts/start/start.test.ts",
  "apps/worker/src/worker-recovery.test.ts",
  "scripts/commands/commands.test.ts",
  "apps/api/src/security/hostile-input.test.ts",
].map((path) => join(root, path));

/**
 * Begins with the lengthy files; the others follow as vitest sorts them, which is by project, and in each by what is known of earlier runs. A
 * clean checkout knows nothing, and the size of a file says little about how long it takes.
 */
export class LengthyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = lengthy.filter((path) => !existsSync(path));
    if (missing.length > 0) throw new Error(`There is no ${missing.join(", ")}: lengthy-first.ts names it.`);
    const others = await super.sort(files.filter(({ moduleId }) => !lengthy.includes(moduleId)));
    const first = lengthy.flatMap((path) => files.filter(({ moduleId }) => moduleId === path));
    return [...first, ...others];
  }
}
