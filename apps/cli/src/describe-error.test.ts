import { GatewayError } from "@reports/client";
import { expect, test } from "vitest";
import { createConfiguredGateway } from "./connection.ts";
import { rethrowWithFlagNames, describeError } from "./describe-error.ts";

test.each([
  [400, 2],
  [401, 3],
  [403, 3],
  [404, 4],
  [406, 2],
  [408, 7],
  [410, 4],
  [412, 2],
  [413, 2],
  [415, 2],
  [422, 2],
  [429, 6],
  [431, 2],
  [500, 7],
  [503, 7],
  [0, 7],
])("for a response with status %d, the program exits with %d", (status, exitCode) => {
  const error = new GatewayError({ status, code: "bad-request", detail: "No." });
  expect(describeError(error).exitCode).toBe(exitCode);
});

test("the exit code is 7 for an unexpected 502, and 1 for a file with a wrong digest", () => {
  expect(describeError(new GatewayError({ status: 502, code: "unexpected-answer", detail: "No." })).exitCode).toBe(7);
  expect(describeError(new GatewayError({ status: 0, code: "wrong-file", detail: "No." })).exitCode).toBe(1);
});

test.each([
  [404, "path-not-found", 2],
  [404, "unexpected-answer", 2],
  [405, "unexpected-answer", 2],
  [200, "unexpected-answer", 2],
  [301, "unexpected-answer", 2],
  [401, "unexpected-answer", 3],
  [403, "unexpected-answer", 3],
  [429, "unexpected-answer", 6],
  [500, "unexpected-answer", 7],
  [503, "unexpected-answer", 7],
])("after status %d with code %s, the error says to check REPORTS_URL; exit code %d", (status, code, exitCode) => {
  const described = describeError(new GatewayError({ status, code, detail: "No." }));
  expect(described.exitCode).toBe(exitCode);
  expect(described.lines[1]).toMatch(/^Check REPORTS_URL/);
});

test("the error of an unexpected response suggests that the network has a login page", () => {
  const { lines } = describeError(new GatewayError({ status: 200, code: "unexpected-answer", detail: "No." }));
  expect(lines).toContain("If the network or a proxy has a login page, log in there with a browser.");
});

test.each([
  "schedule-ended",
  "rows-not-kept",
  "report-not-finished",
  "too-many-files",
  "too-many-links",
  "too-many-schedules",
  "too-many-webhooks",
] as const)("after the problem %s, which no other command line avoids, the exit code is 1", (code) => {
  expect(describeError(new GatewayError({ status: 422, code, detail: "No." })).exitCode).toBe(1);
});

test("cancel of an ended report exits with 1, and an invalid value exits with 2", () => {
  const codeOf = (code: string) => {
    const issues = [{ pointer: "/status", code, message: "No." }];
    return describeError(new GatewayError({ status: 422, code: "invalid-record", detail: "No.", issues })).exitCode;
  };
  expect([codeOf("not_open"), codeOf("invalid_value")]).toEqual([1, 2]);
});

test("an error prints each issue with its flag, and escapes unsafe characters", () => {
  const error = new GatewayError({
    status: 422,
    code: "invalid-parameters",
    detail: "The report cannot be started\u001b[2J: Did you mean health? No \u202ecolumn. No.",
    issues: [
      { pointer: "/searchParam/helth", code: "unknown_filter", message: "Did you mean health?" },
      { pointer: "/columns/0", code: "unknown_column", message: "No \u202ecolumn." },
      { pointer: "/toString", code: "unknown", message: "No." },
    ],
  });
  expect(describeError(error).lines).toEqual([
    "The report cannot be started\\u{1b}[2J:",
    "  --where helth: Did you mean health?",
    "  --columns: No \\u{202e}column.",
    "  No.",
  ]);
});

test.each([
  [{ pointer: "/options/timezone" }, "--timezone: No."],
  [{ pointer: "/options/columns/0" }, "--columns: No."],
  [{ pointer: "/options/csvBom" }, "--no-csv-bom: No."],
  [{ pointer: "/options" }, "No."],
  [{ pointer: "/timezone" }, "--timezone: No."],
  [{ pointer: "/searchParam/a~1b~01" }, "--where a/b~1: No."],
  [{ parameter: "searchParam.health" }, "--where health: No."],
  [{ parameter: "searchParam" }, "--where: No."],
  [{ parameter: "columns" }, "--columns: No."],
  [{ parameter: "constructor" }, "No."],
  [{ header: "Idempotency-Key" }, "--idempotency-key: No."],
  [{ header: "Accept" }, "No."],
])("the API's issue at %j is printed with its flag: %s", (place, line) => {
  const issues = [{ ...place, code: "invalid", message: "No." }];
  const error = new GatewayError({ status: 422, code: "invalid-record", detail: "No.", issues });
  expect(describeError(error).lines).toEqual([line]);
});

test("an issue names the command's own flag before a start's flag of the same field", async () => {
  const flags = { timezone: "--zone", events: "--event" };
  const issues = ["/timezone", "/events/0", "/format", "/options/timezone"].map((pointer) => ({
    pointer,
    code: "invalid",
    message: `${pointer}.`,
  }));
  const error = new GatewayError({ status: 422, code: "invalid-record", detail: "It is wrong:", issues });
  const failed = rethrowWithFlagNames(flags, async () => Promise.reject(error));
  const described = describeError(await failed.catch((thrown: unknown) => thrown));
  expect(described).toEqual({
    exitCode: 2,
    lines: [
      "It is wrong:",
      "  --zone: /timezone.",
      "  --event: /events/0.",
      "  --format: /format.",
      "  --timezone: /options/timezone.",
    ],
  });
});

test.each([
  ["ENOSPC", "ENOSPC: no space left on device, write", "The file is not saved: ENOSPC: no space left on device, write"],
  ["EPIPE", "write EPIPE", "The file is not saved: Standard output was closed before the file's end"],
])("after the write error %s, the message says that the file is not saved", (code, message, line) => {
  const error = Object.assign(new Error(message), { code, syscall: "write" });
  expect(describeError(error)).toEqual({ exitCode: 1, lines: [line] });
});

const url = { REPORTS_URL: "https://reports.example.com" };

test.each([
  [{}, "REPORTS_URL is not set"],
  [{ REPORTS_URL: "reports.example.com" }, "REPORTS_URL must be an address"],
  [{ REPORTS_URL: "https://me:s3cret@reports.example.com" }, "REPORTS_URL contains a name or a password"],
  [{ REPORTS_URL: "https://reports.example.com/?team=x" }, "REPORTS_URL must not have a query or a fragment"],
  [{ REPORTS_URL: "https://reports.example.com/#/docs" }, "REPORTS_URL must not have a query or a fragment"],
  [url, "There are no credentials"],
  [{ ...url, REPORTS_USER: "me" }, "REPORTS_PASSWORD is not set"],
  [{ ...url, REPORTS_USER: "me", REPORTS_PASSWORD: "a", REPORTS_TOKEN: "b" }, "are both set"],
  [{ ...url, REPORTS_USER: "me", REPORTS_PASSWORD: "a", REPORTS_PASSWORD_FILE: "b" }, "are both set"],
  [
    { ...url, REPORTS_USER: "me", REPORTS_PASSWORD_FILE: "/none/such" },
    "REPORTS_PASSWORD_FILE names a file that cannot",
  ],
  [{ ...url, REPORTS_TOKEN: "a\nb" }, "REPORTS_TOKEN is empty, or has characters"],
])("createClient refuses the environment %j: %s", (environment, message) => {
  expect(() => createConfiguredGateway({ XDG_CONFIG_HOME: "/none/such", ...environment }, undefined)).toThrow(message);
});
