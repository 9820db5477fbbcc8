import type { Reporter, TestModule } from "vitest/node";
import { skipReasonPrefix } from "./is-available-or-throw-in-ci.ts";

export function createTestSummaryReporter(notes: readonly string[] = []): Reporter {
  const reasons = new Set<string>();
  return {
    onTestRunStart() {
      reasons.clear();
    },
    onUserConsoleLog({ content }) {
      for (const line of splitLines(content)) if (isSkipReason(line)) reasons.add(line);
    },
    onTestRunEnd(modules, unhandledErrors) {
      const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
      for (const module of modules) {
        for (const test of module.children.allTests()) {
          const result = test.result();
          count[result.state] += 1;
          if (result.state === "skipped" && result.note !== undefined) reasons.add(`Skipped: ${result.note}.`);
        }
        count.failed += countBrokenSuites(module);
      }
      const skipped = count.skipped + count.pending;
      const lines = [...reasons].toSorted((one, other) => one.localeCompare(other));
      lines.push(...notes);
      lines.push(`${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
      process.stdout.write(`\n${lines.join("\n")}\n`);
    },
  };
}

/** Reports whether a log contains only reasons for skipped tests. vitest need not show them, because the reporter prints them at the end. */
export function hasOnlySkipReasons(logged: string): boolean {
  const lines = splitLines(logged);
  return lines.length > 0 && lines.every(isSkipReason);
}

function splitLines(logged: string): string[] {
  return logged.split("\n").filter((line) => line !== "");
}

function isSkipReason(line: string): boolean {
  return line.startsWith(skipReasonPrefix);
}

function countBrokenSuites(module: TestModule): number {
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return suites.length + (module.errors().length > 0 ? 1 : 0);
}
