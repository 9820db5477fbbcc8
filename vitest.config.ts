import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { closingLinesReporter, saysReasonsOnly } from "./packages/testing/src/closing-lines-reporter.ts";
import { LengthyFirst } from "./scripts/test/lengthy-first.ts";

const root = import.meta.dirname;

/** Tests run the sources, never a stale dist: the same condition as `node --conditions=@reports/source`. */
const source = "@reports/source";
const conditions = [source, "node"];

/** One project a workspace package, called after its folder. */
const projects = [
  ...["scripts", "torture"].map((name) => ({ name, dir: join(root, name) })),
  ...["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => ({ name, dir: join(root, group, name) })),
  ),
];

/** Builds both apps as their images are built, which takes minutes: `pnpm try deployed` runs it, in CI as a step of its own. */
const apart = process.env["TEST_DEPLOYED"] === "1" ? [] : ["**/test/deployed.test.ts"];

/** Tests of production's clocks, which wait for as long as production does. */
const productionOnly = process.env["CI"] ? [] : ["**/*.production.test.ts"];

/** Names of files that a run leaves out: vitest's own --exclude does not reach its projects. */
const leftOut = (process.env["TEST_LEFT_OUT"] ?? "").split(" ").flatMap((name) => (name ? [`**/${name}.test.ts`] : []));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Every package's own vitest.config.ts is this one; in its folder, that package alone is run.
    projects: projects
      .filter(({ dir }) => process.cwd() === root || process.cwd() === dir)
      .map(({ name, dir }) => ({
        extends: true as const,
        test: {
          name,
          root: dir,
          include: ["**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**", ...apart, ...productionOnly, ...leftOut],
        },
      })),
    reporters: [
      "default",
      closingLinesReporter(productionOnly.map((pattern) => `Left out: ${pattern}. Set CI=1 to run them.`)),
    ],
    onConsoleLog: (text) => !saysReasonsOnly(text),
    // Opens the session that shares one Postgres server; the server starts when a test asks for a database.
    globalSetup: [join(root, "packages/testing/src/databases/global-setup.ts")],
    pool: "forks",
    // Files of a project share processes, and so what they import: loading it anew for each took a sixth of the time. What a file changes about
    // its process (variables, listeners) it puts back.
    isolate: false,
    sequence: { sequencer: LengthyFirst },
    // A file waits for Postgres and for processes of its own more than it computes: the longest six take 0.4 s of a processor in each second, so
    // that three at once leave a machine of two cores idle for a third of its time.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Node loads the tests and the sources by itself, as it does in development: nothing is transformed, and nothing can be mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Child processes and worker threads of a test resolve the sources, too. What Node has compiled once, no process compiles again.
    execArgv: [`--conditions=${source}`],
    env: { NODE_OPTIONS: `--conditions=${source}`, NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node-compile") },
    // The longest test without a limit of its own takes 16 s on a quiet machine; a busy one is no fault.
    testTimeout: 120_000,
    // As long as what waitFor gives a condition.
    expect: { poll: { timeout: 45_000 } },
    hookTimeout: 120_000,
    passWithNoTests: true,
  },
});
