import { expect, test } from "vitest";
import { builtInReportTypes, type ReportTypeDefinition } from "@reports/core/report";
import { databaseConnectionFunctions } from "@reports/db";
import { UsageError } from "@reports/type-loader/deployment";
import { readSourceFlags, containsPassword } from "./source-check-flags.ts";

const url = "postgres://u:canary@host/db";

function read(names: readonly string[], source: readonly string[], engine: readonly string[] = []) {
  const types = names.map((name): ReportTypeDefinition => {
    const rows = { kind: "view", view: "a", id: "id", columns: {}, source: name } as const;
    return { ...builtInReportTypes[0]!, rows };
  });
  const findUrlProblem = (each: string) =>
    databaseConnectionFunctions.findAddressProblems({ each })[0]?.message ?? null;
  return readSourceFlags(types, { source, engine }, { environment: { URL: url }, findUrlProblem });
}

test("--source reads the URL of a source from a variable, a file or the flag itself", () => {
  expect(read(["main", "main"], ["env:URL"])).toEqual({ main: { url, engine: "postgres" } });
  expect(read(["edge", "main"], [`main=${url}`, "edge=env:URL"], ["edge=citus"])).toEqual({
    edge: { url, engine: "citus" },
    main: { url, engine: "postgres" },
  });
  expect(read([], [])).toEqual({});
});

test.each([
  [["main"], [`${url}?sslmode=never`], "--source has an sslmode that is none of"],
  [["main"], ["postgres://u:can%ary@host/db"], "--source must be"],
  [["main"], ["env:ABSENT"], "the variable ABSENT is not set"],
  [["main"], ["file:/no/such/file"], "the file cannot be read (ENOENT)"],
  [["main"], ["billing=env:URL"], "no report type reads from billing. They read from main."],
  [["main"], ["env:URL", "main=env:URL"], "--source is given twice for main"],
  [["main"], [], "The report types read from main. Name it: --source main=env:VARIABLE."],
  [["main", "edge"], ["env:URL"], "Say which one --source is"],
] as const)("for types that read %s, --source %s is refused, and no password is shown", (names, source, sentence) => {
  expect(() => read(names, source)).toThrow(UsageError);
  expect(() => read(names, source)).toThrow(sentence);
  expect(() => read(names, source)).not.toThrow(/canary|can%ary/);
});

test("readSourceFlags refuses unknown engines; containsPassword finds a URL's password", () => {
  expect(() => read(["main"], ["env:URL"], ["oracle"])).toThrow(
    "--engine must be one of postgres, citus, pg_clickhouse",
  );
  expect([url, `edge=${url}`, "postgres://u@host/db", "env:URL"].map(containsPassword)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
