import type { ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { listReportFacts } from "./report-facts.ts";
import { createTestDefinition, createTestRenderRequest } from "./rows.fixture.ts";
import { getWords } from "./words/words.ts";

const columns: readonly ReportColumn[] = [
  { key: "name", title: "Name", kind: "text", width: 10 },
  { key: "region", title: "Region", kind: "text", width: 10 },
];

function factsOf(
  format: "pdf" | "xlsx",
  searchParam = {},
  requestedBy = "basic:alice",
  requesterName: string | null = null,
) {
  const options = { format, sort: ["-name"], groupBy: "region", timezone: "Europe/Berlin" };
  const request = createTestRenderRequest(columns, { searchParam, options, requestedBy, requesterName });
  return listReportFacts({ request, definition: createTestDefinition(columns) }, new Date("2026-11-21T01:02:03Z"), {
    instant: (at) => at.toISOString(),
    words: getWords("en"),
  });
}

test("pdf and xlsx show the same facts, and pdf also shows the group", () => {
  const [pdf, xlsx] = [factsOf("pdf"), factsOf("xlsx")];
  expect(pdf.provenance).toEqual([
    ["Data as of", "2026-11-21T01:02:03.000Z"],
    ["Requested at", "2026-11-21T01:00:00.000Z"],
    ["Requested by", "alice"],
    ["Time zone", "Europe/Berlin"],
  ]);
  expect(xlsx.provenance).toEqual(pdf.provenance);
  expect(pdf.identity[0]).toEqual(["Report type", "Fixture (FIXTURE)"]);
  expect(xlsx.identity).toEqual(pdf.identity);
  expect(pdf.selection).toEqual([
    ["Filters", "None: everything is included."],
    ["Sorted by", "Name (descending)"],
    ["Grouped by", "Region"],
  ]);
  expect(xlsx.selection).toEqual([
    ["Filters", "None: everything is included."],
    ["Sorted by", "Region, Name (descending)"],
  ]);
});

test.each([
  ["basic:Ann Lee", "Ann Lee"],
  ["https://login.example.com/realms/ops|ann@example.com", "ann@example.com (login.example.com/realms/ops)"],
  ["jwt|batch|7", "batch|7 (jwt)"],
  ["basic:ann\u202Enimda\u2066", "annnimda"],
  ["anonymous", "anonymous"],
])("the principal %j is shown as %j", (principal, name) => {
  expect(factsOf("pdf", {}, principal).provenance).toContainEqual(["Requested by", name]);
});

test.each([
  ["https://login.example.com|5f7c8ec7", "Ann Example", "Ann Example (login.example.com)"],
  // An issuer can use the name of a local user, so the label of every other user contains the issuer.
  ["https://login.example.com|5f7c8ec7", "alice", "alice (login.example.com)"],
  ["https://login.example.com|5f7c8ec7", "Ann\u202E\u2066", "Ann (login.example.com)"],
  ["https://login.example.com|5f7c8ec7", null, "5f7c8ec7 (login.example.com)"],
])("the principal %j with the name %j is shown as %j", (principal, called, shown) => {
  for (const format of ["pdf", "xlsx"] as const)
    expect(factsOf(format, {}, principal, called).provenance).toContainEqual(["Requested by", shown]);
});

test("all filters of a report are listed under one label", () => {
  expect(factsOf("pdf", { up: true, size: 3 }).selection.slice(0, 2)).toEqual([
    ["Filters", "Up is yes"],
    ["", "Size is 3"],
  ]);
});
