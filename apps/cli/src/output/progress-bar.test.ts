import { expect, test } from "vitest";
import { createProgressBar } from "./progress-bar.ts";

function draw({ isTTY = true, columns = 120, terminal = "xterm" } = {}) {
  let nowMs = 0;
  let written = "";
  const stream = { isTTY, columns, write: (text: string) => (written += text) };
  const bar = createProgressBar(stream, { now: () => nowMs, terminal });
  return {
    bar,
    pass: (ms: number) => (nowMs += ms),
    written: () => written,
    line: () => written.split("\r\u001b[2K").at(-1),
  };
}

const rows = { phase: "rendering", unit: "rows", total: 100_000 } as const;

test("a progress bar shows percent, phase, rows, rate and remaining time", () => {
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

test("a progress bar shows one row in the singular", () => {
  const { bar, pass, line } = draw();
  bar.update({ ...rows, done: 1, total: null, percent: null });
  expect(line()).toMatch(/ 1 row$/);
  pass(1000);
  bar.update({ ...rows, done: 0, total: 1, percent: 0 });
  expect(line()).toMatch(/ 0 of 1 row$/);
});

test("the rate of a progress bar starts again with a new attempt and with the download", () => {
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

test("a progress bar is one line with escaped texts, drawn at most 10 times per second", () => {
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

test("on a terminal without a size, the progress bar is 80 columns wide", () => {
  const { bar, line } = draw({ columns: 0 });
  bar.update({ ...rows, done: 25_000, percent: 25 });
  expect(line()).toBe("[######..................]  25 %  rendering  25,000 of 100,000 rows");
});

test.each([
  ["a pipe", { isTTY: false }],
  ["a terminal without control sequences", { terminal: "dumb" }],
])("no progress bar is printed to %s", (_, options) => {
  const { bar, written } = draw(options);
  bar.update({ ...rows, done: 1, percent: 0 });
  bar.clear();
  expect(written()).toBe("");
});
