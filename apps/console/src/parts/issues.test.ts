import { expect, test } from "vitest";
import { groupIssuesByField } from "./issues.ts";

test("groupIssuesByField groups issues by form field, and keeps those of no field", () => {
  const issue = { code: "invalid" };
  const byField = groupIssuesByField([
    { ...issue, pointer: "/searchParam/health/0", message: "one" },
    { ...issue, pointer: "/searchParam/health", message: "two" },
    { ...issue, parameter: "searchParam[port]", message: "port must be an integer." },
    { ...issue, parameter: "searchParam.tag", message: "tag must be text." },
    { ...issue, pointer: "/columns/3", message: "four" },
    { ...issue, parameter: "timezone", message: "five" },
    { ...issue, header: "Accept", message: "six" },
  ]);
  expect([...byField]).toEqual([
    ["f.health", "One Two"],
    ["f.port", "Must be an integer."],
    ["f.tag", "Must be text."],
    ["columns", "Four"],
    ["timezone", "Five"],
    ["", "Six"],
  ]);
});
