import { expect, test, vi } from "vitest";
import type { Reporter } from "vitest/node";
import { createTestSummaryReporter, hasOnlySkipReasons } from "./closing-lines-reporter.ts";
import { skipReasonPrefix } from "./is-available-or-throw-in-ci.ts";

const [abacus, quill] = [`${skipReasonPrefix}abacus.\n`, `${skipReasonPrefix}quill.\n`];

test("the reporter prints each skip reason once, and last how many tests passed", async () => {
  const reporter = createTestSummaryReporter();
  for (const content of [quill, abacus + quill, `something else\n${abacus}`, "something else\n"])
    log(reporter, content);
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await reporter.onTestRunEnd?.([], [], "passed");
    expect(write.mock.calls.flat().join("")).toBe(`\n${abacus}${quill}0 passed, 0 failed\n`);
  } finally {
    write.mockRestore();
  }
});

test("hasOnlySkipReasons is false for a log that contains any other line", () => {
  expect(hasOnlySkipReasons(abacus + quill)).toBe(true);
  expect(hasOnlySkipReasons(`${abacus}something else\n`)).toBe(false);
  expect(hasOnlySkipReasons("something else\n")).toBe(false);
});

function log(reporter: Reporter, content: string): void {
  reporter.onUserConsoleLog?.({ content, type: "stderr", time: 0, size: content.length });
}
