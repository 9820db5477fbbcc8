import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";
import { createTestSummaryReporter, hasOnlySkipReasons } from "./packages/testing/src/closing-lines-reporter.ts";
import { isFullTestRun } from "./packages/testing/src/divide-cases.ts";
import { SlowestFirstSequencer } from "./scripts/test/slowest-first-sequencer.ts";

const root = import.meta.dirname;

/** Export condition that makes tests load the sources of packages instead of their builds. */
const source = "@reports/source";
/** Resolves imports with less processor time than Node does. */
const quickResolution = pathToFileURL(join(root, "packages/testing/src/resolution/register-quick-resolution.ts")).href;
const loading = [`--conditions=${source}`, `--import=${quickResolution}`];
const conditions = [source, "node"];

const packages = [
  ...["scripts", "torture"].map((name) => ({ name, dir: join(root, name) })),
  ...["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => ({ name, dir: join(root, group, name) })),
  ),
];

/**
 * One project per package if a package is chosen, by `--project` or by the working directory. Otherwise one project for all packages. Test files
 * share processes only within a project, and starting a process with its imports takes more than a second of processor time.
 */
const isChosen = process.cwd() !== root || process.argv.some((argument) => argument.startsWith("--project"));
const projects = isChosen
  ? packages.filter(({ dir }) => process.cwd() === root || process.cwd() === dir)
  : [{ name: "all", dir: root }];

/** Left out unless TEST_DEPLOYED is set, because it builds both apps, which takes minutes. `pnpm try deployed` runs it, in CI as a separate step. */
const deployedTest = process.env["TEST_DEPLOYED"] === "1" ? [] : ["**/test/deployed.test.ts"];

/** Long tests that only CI runs. Every run has a shorter one instead (docs/decisions/0085-what-only-ci-tests.md). */
const onlyInCi = isFullTestRun ? [] : ["**/*.ci.test.ts"];
const closingNotes = isFullTestRun
  ? []
  : [
      `Left out: ${onlyInCi.join(" ")}, tests that only CI runs, which count as skipped, and shares of large tables. CI=1 npm test runs everything.`,
    ];

/** Test files that TEST_LEFT_OUT excludes by name, because vitest's option --exclude does not apply to projects. */
const excluded = (process.env["TEST_LEFT_OUT"] ?? "")
  .split(" ")
  .flatMap((name) => (name ? [`**/${name}.test.ts`] : []));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // The vitest.config.ts of every package re-exports this one. In the folder of a package, only that package is run.
    projects: projects.map(({ name, dir }) => ({
      extends: true as const,
      test: {
        name,
        root: dir,
        include: dir === root ? ["{apps,packages,scripts,torture}/**/*.test.ts"] : ["**/*.test.ts"],
        exclude: ["**/node_modules/**", "**/dist/**", ...deployedTest, ...onlyInCi, ...excluded],
      },
    })),
    reporters: ["default", createTestSummaryReporter(closingNotes)],
    onConsoleLog: (text) => !hasOnlySkipReasons(text),
    // Prepares one Postgres server for all tests. It starts when a test needs a database.
    globalSetup: [join(root, "packages/testing/src/databases/global-setup.ts")],
    pool: "forks",
    // Files share processes and imported modules. Each file must undo its changes to the process, such as variables and listeners.
    isolate: false,
    sequence: { sequencer: SlowestFirstSequencer },
    // Tests wait for Postgres and child processes more than they compute, so three parallel files keep two processors busy. A fourth would not make
    // the run faster.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Node itself loads tests and sources, as in development. Modules are not transformed and cannot be mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Child processes and worker threads of tests load the sources, too. A compile cache speeds up their start.
    execArgv: loading,
    env: { NODE_OPTIONS: loading.join(" "), NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node-compile") },
    // Long, so that tests pass on a busy machine. The longest test with this limit takes 16 s on an idle one.
    testTimeout: 120_000,
    // The same time limit as that of `waitFor`.
    expect: { poll: { timeout: 45_000 } },
    hookTimeout: 120_000,
    passWithNoTests: true,
  },
});
