import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { closingLinesReporter, isOnlySkipReasons } from "./packages/testing/src/closing-lines-reporter.ts";
import { isFullRun } from "./packages/testing/src/divide-cases.ts";
import { LengthyFirst } from "./scripts/test/lengthy-first.ts";

const root = import.meta.dirname;

/** Tests run the sources, never a stale dist: the same condition as `node --conditions=@reports/source`. */
const source = "@reports/source";
const conditions = [source, "node"];

/** Workspace packages by their folder. */
const packages = [
  ...["scripts", "torture"].map((name) => ({ name, dir: join(root, name) })),
  ...["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => ({ name, dir: join(root, group, name) })),
  ),
];

/**
 * One project per package if one is chosen, by `--project` or by the folder. Otherwise one project for all, because processes are shared within
 * a project only: each start of a process, and what its files import, takes more than a second of a processor.
 */
const isChosen = process.cwd() !== root || process.argv.some((argument) => argument.startsWith("--project"));
const projects = isChosen
  ? packages.filter(({ dir }) => process.cwd() === root || process.cwd() === dir)
  : [{ name: "all", dir: root }];

/** Builds both apps as their images are built, which takes minutes: `pnpm try deployed` runs it, in CI as a step of its own. */
const apart = process.env["TEST_DEPLOYED"] === "1" ? [] : ["**/test/deployed.test.ts"];

/** Tests for which a shorter one is in every run (docs/decisions/0085-what-only-ci-tests.md). */
const onlyInCi = isFullRun ? [] : ["**/*.ci.test.ts"];
const closingNotes = isFullRun
  ? []
  : [`Left out: ${onlyInCi.join(" ")}, and shares of the largest tables of cases. CI=1 npm test runs everything.`];

/** Names of files that a run leaves out: vitest's own --exclude does not reach its projects. */
const leftOut = (process.env["TEST_LEFT_OUT"] ?? "").split(" ").flatMap((name) => (name ? [`**/${name}.test.ts`] : []));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Every package's own vitest.config.ts is this one; in its folder, that package alone is run.
    projects: projects.map(({ name, dir }) => ({
      extends: true as const,
      test: {
        name,
        root: dir,
        include: dir === root ? ["{apps,packages,scripts,torture}/**/*.test.ts"] : ["**/*.test.ts"],
        exclude: ["**/node_modules/**", "**/dist/**", ...apart, ...onlyInCi, ...leftOut],
      },
    })),
    reporters: ["default", closingLinesReporter(closingNotes)],
    onConsoleLog: (text) => !isOnlySkipReasons(text),
    // Opens the session that shares one Postgres server; the server starts when a test asks for a database.
    globalSetup: [join(root, "packages/testing/src/databases/global-setup.ts")],
    pool: "forks",
    // Files share processes, and so what they import. A file undoes what it changes about its process, such as variables and listeners.
    isolate: false,
    sequence: { sequencer: LengthyFirst },
    // A file waits for Postgres and for its own processes more than it computes: three files at the same time keep two processors busy. A fourth
    // only waits for a processor.
    maxWorkers: Math.max(3, availableParallelism() - 1),
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
