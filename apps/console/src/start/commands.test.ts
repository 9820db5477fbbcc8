import { describe, expect, test } from "vitest";
import { buildStartCommand } from "./commands.ts";

describe("commands that start a report", () => {
  const caller = { baseUrl: "https://reports.example.com", name: "alice" };
  const start = {
    reportType: "CERTIFICATES",
    format: "csv",
    searchParam: { severity: ["OK", "EXPIRED"], q: "it's" },
    sort: ["-name"],
    groupBy: "severity",
    csvBom: false,
    keepRows: true,
  };

  test("the curl command of the form sends the start request as shell-quoted JSON", () => {
    expect(buildStartCommand("curl", start, caller)).toBe(
      String.raw`curl -sS -u alice https://reports.example.com/v1/reports \
  -H 'Content-Type: application/json' \
  -d '{"reportType":"CERTIFICATES","format":"csv","searchParam":{"severity":["OK","EXPIRED"],"q":"it'\''s"},"sort":["-name"],"groupBy":"severity","csvBom":false,"keepRows":true}'`,
    );
  });

  test("the CLI command of the form has a flag per option that differs from its default", () => {
    expect(buildStartCommand("CLI", { ...start, accessible: true }, { ...caller, name: "a b" })).toBe(
      String.raw`REPORTS_URL=https://reports.example.com REPORTS_USER='a b' \
  reports run CERTIFICATES --format csv --no-csv-bom --sort=-name --group-by severity --accessible yes --keep-rows --where severity=OK --where severity=EXPIRED --where 'q=it'\''s'`,
    );
  });

  test("the TypeScript program of the form contains the start request but no password", () => {
    const text = buildStartCommand("TypeScript", start, caller);
    expect(text).toContain(JSON.stringify(start, null, 2));
    expect(text).toContain('baseUrl: "https://reports.example.com"');
    expect(text).not.toContain('password: "');
  });
});
