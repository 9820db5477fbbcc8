import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one line for whoever reads the output by machine: `12 passed, 0 failed`, and `, 3 skipped` where some were. */
export function closingLineReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
      for (const module of modules) {
        for (const test of module.children.allTests()) count[test.result().state] += 1;
        count.failed += brokenSuites(module);
      }
      const skipped = count.skipped + count.pending;
      console.log(`\n${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    },
  };
}

/** Files and suites that broke outside of any test, such as by a syntax error or in beforeAll. */
function brokenSuites(module: TestModule): number {
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return suites.length + (module.errors().length > 0 ? 1 : 0);
}
