import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatLogLine, wantsColours } from "./format-log-line.ts";

const request = {
  level: "info",
  time: new Date(2026, 0, 31, 12, 0, 1).toISOString(),
  pid: 1,
  name: "api",
  requestId: "0198c0de",
  traceparent: "00-1",
  method: "GET",
  status: 200,
  msg: "request",
};

test("formatLogLine shows time, level, process, message and relevant fields", () => {
  const refused = { ...request, level: "error", msg: "request failed", error: { message: "no", stack: "at x" } };
  const lines = [
    formatLogLine("api", JSON.stringify(request), false),
    formatLogLine("worker", JSON.stringify(refused), false),
    formatLogLine("worker", "ended unasked", false),
  ];
  expect(lines).toEqual([
    "12:00:01 info  api     request  method=GET status=200",
    'worker  request failed  requestId=0198c0de method=GET status=200 error="no"'.replace(/^/, "12:00:01 error "),
    "               worker  ended unasked",
  ]);
});

test("formatLogLine omits a field without a value", () => {
  const audited = { ...request, msg: "audit", code: null, count: 1 };
  expect(formatLogLine("api", JSON.stringify(audited), false)).toBe(
    "12:00:01 info  api     audit  method=GET status=200 count=1",
  );
});

test("formatLogLine writes the same text with and without colours", () => {
  const plain = formatLogLine("api", JSON.stringify(request), false);
  const coloured = formatLogLine("api", JSON.stringify(request), true);
  expect(coloured).toContain("\u001B[32minfo ");
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test.each([
  ["a terminal", true, {}, true],
  ["no terminal", false, {}, false],
  ["NO_COLOR at a terminal", false, { NO_COLOR: "1" }, true],
  ["an empty NO_COLOR, which counts as unset", true, { NO_COLOR: "" }, true],
  ["FORCE_COLOR without a terminal", true, { FORCE_COLOR: "1" }, false],
  ["FORCE_COLOR=0", false, { FORCE_COLOR: "0" }, true],
  ["a dumb terminal", false, { TERM: "dumb" }, true],
])("with %s, wantsColours returns %s", (_what, expected, environment, isTerminal) => {
  expect(wantsColours(environment, isTerminal)).toBe(expected);
});
