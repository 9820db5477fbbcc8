import { expect, test } from "vitest";
import { createProgressBar } from "./progress-bar.ts";

/** A bar on a stream that keeps what is written, by a clock that the test moves. */
function draw({ isTTY = true, columns = 120, terminal = "xterm" } = {}) {
  let nowMs = 0;
  let written = "";
  const stream = { isTTY, columns, write: (text: string) => (written += text) };
  const bar = createProgressBar(stream, { now: () => nowMs, terminal });
  return {
    bar,
    pass: (ms: number) => (nowMs += ms),
    written: () => written,
    /** What stands in the line now. */
    line: () => written.split("\r\u001b[2K").at(-1),
  };
}

const rows = { phase: "rendering", unit: "rows", total: 100_000 } as const;

test("a bar says percent, phase, rows, rate and time left", () => {
  const { bar, pass, line } = draw();
  bar.update({ ...rows, phase: "waiting", done: 0, total: null, percent: null });
  expect(line()).toBe("[........................]   ? %  waiting");
  pass(1000);
  bar.update({ ...rows, done: 0, percent: 0 });
  pass(1000);
  bar.update({ ...rows, done: 25_000, percent: 25 });
  expect(line()).toBe("[######..................]  25 %  rendering  25,000 of 100,000 rows  12,500 rows/s  6 s left");
  bar.clear();
  expect(line()).toBe("");
});

test("a new attempt, and the download behind the rows, have rates of their own", () => {
  const { bar, pass, line } = draw();
  bar.update({ ...rows, done: 0, percent: 0 });
  pass(1000);
  bar.update({ ...rows, done: 50_000, percent: 50 });
  pass(1000);
  bar.update({ ...rows, done: 10, percent: 0 });
  expect(line()).toBe("[........................]   0 %  rendering  10 of 100,000 rows");
  pass(1000);
  bar.update({ phase: "downloading", unit: "bytes", done: 1_500_000, total: 3_000_000, percent: 50 });
  expect(line()).toBe("[############............]  50 %  downloading  1.5 MB of 3 MB");
  pass(1000);
  bar.update({ phase: "downloading", unit: "bytes", done: 2_500_000, total: 3_000_000, percent: 83.3 });
  expect(line()).toBe("[####################....]  83 %  downloading  2.5 MB of 3 MB  1 MB/s  1 s left");
});

test("it is drawn ten times a second at most, on one line however narrow, and shows no control characters of a phase", () => {
  const { bar, pass, written, line } = draw({ columns: 50 });
  for (let time = 0; time < 50; time++) {
    bar.update({ ...rows, done: time * 1000, percent: time });
    pass(10);
  }
  expect(written().split("\r").length - 1).toBe(5);
  pass(100);
  bar.update({ ...rows, phase: "\u001b[2J", done: 60_000, percent: 60 });
  expect(line()).toMatch(/^\[#+\.+\] {2}60 % {2}\\u\{1b\}\[2J$/);
});

test("a terminal that tells no size is one of 80 columns", () => {
  const { bar, line } = draw({ columns: 0 });
  bar.update({ ...rows, done: 25_000, percent: 25 });
  expect(line()).toBe("[######..................]  25 %  rendering  25,000 of 100,000 rows");
});

test.each([
  ["a pipe", { isTTY: false }],
  ["a terminal that knows lines only", { terminal: "dumb" }],
])("%s gets nothing of it", (_, options) => {
  const { bar, written } = draw(options);
  bar.update({ ...rows, done: 1, percent: 0 });
  bar.clear();
  expect(written()).toBe("");
});
