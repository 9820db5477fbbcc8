import type { ReportStart, ReportType } from "@reports/client";
import { describe, expect, test } from "vitest";
import { readStartDraft, buildStartDraftQuery, replaceFormerQueryNames, addDefaultFilters } from "./draft.ts";
import { deriveFilters } from "../parts/filters.ts";
import { textColumnFixture } from "./text-column-fixture.fixture.ts";

const severity = { type: "string", enum: ["EXPIRED", "OK"] };
const type: ReportType = {
  reportType: "CERTIFICATES",
  version: 1,
  title: "Certificates",
  description: "",
  authority: "REPORT_CERTIFICATES",
  searchParam: {
    type: "object",
    properties: {
      q: { type: "string", description: "Text that the `name` contains." },
      severity: { anyOf: [{ type: "array", items: severity }, severity] },
      port: { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "integer" }] },
      forced: { anyOf: [{ type: "array", items: { type: "boolean" } }, { type: "boolean" }] },
      endsTo: {
        anyOf: [
          { type: "string", format: "date-time" },
          { type: "string", pattern: "^now" },
        ],
      },
    },
  },
  columns: [
    textColumnFixture,
    {
      ...textColumnFixture,
      key: "severity",
      title: "Severity",
      titles: { EXPIRED: "Over", OK: "Fine" },
      groupable: true,
    },
  ],
  prominentFilters: [],
  filterValues: [],
  subtotals: [],
  formerNames: { filters: { state: "severity" }, columns: { label: "name" } },
  pdfColumns: ["name"],
  defaultSort: ["name"],
  formats: [
    { format: "csv", maxRows: 10, compressible: true, showsGroups: false, taggedMaxRows: null },
    { format: "pdf", maxRows: 10, compressible: false, showsGroups: true, taggedMaxRows: 5 },
  ],
  preview: true,
  links: { self: "", start: "" },
};

test("deriveFilters reads kind, multiplicity and titles of filters from a report type", () => {
  expect(deriveFilters(type).map(({ name, kind, isList, titles }) => [name, kind, isList, titles])).toEqual([
    ["q", "text", false, {}],
    ["severity", "choice", true, { EXPIRED: "Over", OK: "Fine" }],
    ["port", "number", true, {}],
    ["forced", "flag", true, {}],
    ["endsTo", "time", false, {}],
  ]);
});

test.each([
  ["f.state=OK&f.state=EXPIRED", "f.severity=OK&f.severity=EXPIRED"],
  ["columns=severity,label&sort=-label&groupBy=label", "columns=severity,name&sort=-name&groupBy=name"],
  ["columns=constructor,name&f.severity=OK&title=label", "columns=constructor,name&f.severity=OK&title=label"],
])("replaceFormerQueryNames replaces former filter and column names in the fragment %s", (text, current) => {
  const query = replaceFormerQueryNames(new URLSearchParams(text), type);
  expect(query.toString()).toBe(new URLSearchParams(current).toString());
});

describe("starts in URL fragments", () => {
  test.each([
    ["", { format: "csv" }],
    [
      "format=pdf&columns=severity,name&sort=-name&groupBy=severity&title=A%26B&keepRows=true",
      {
        format: "pdf",
        columns: ["severity", "name"],
        sort: ["-name"],
        groupBy: "severity",
        title: "A&B",
        keepRows: true,
      },
    ],
    [
      "f.severity=OK&f.severity=EXPIRED&f.port=443&f.forced=true&f.q=a",
      { format: "csv", searchParam: { severity: ["OK", "EXPIRED"], port: [443], forced: [true], q: "a" } },
    ],
    ["f.q=&f.port=&csvBom=false", { format: "csv", csvBom: false }],
    // readStartDraft keeps invalid values, so that the API reports them by field.
    ["f.port=none&f.unknown=1&format=docx", { format: "docx", searchParam: { port: ["none"], unknown: "1" } }],
    ["f.port=99999999999999999999", { format: "csv", searchParam: { port: ["99999999999999999999"] } }],
  ])("readStartDraft reads the fragment %j", (text, expected) => {
    expect(readStartDraft(new URLSearchParams(text), type)).toEqual({ reportType: "CERTIFICATES", ...expected });
  });

  test("readStartDraft reads back every option that buildStartDraftQuery writes", () => {
    const start: Required<ReportStart> = {
      reportType: "CERTIFICATES",
      format: "pdf",
      searchParam: { severity: ["OK"], port: [443], q: "x" },
      columns: ["name"],
      sort: ["-name"],
      groupBy: "severity",
      timezone: "Europe/Berlin",
      language: "de",
      locale: "de",
      title: "T",
      csvBom: false,
      compression: "gzip",
      paper: "LETTER",
      orientation: "landscape",
      accessible: false,
      keepRows: true,
    };
    const pairs = Object.entries(buildStartDraftQuery(start)).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one]),
    );
    expect(readStartDraft(new URLSearchParams(pairs), type)).toEqual(start);
  });
});

test("the form has the defaults of filters that its URL fragment lacks", () => {
  const properties = { severity: { enum: ["EXPIRED", "OK"], default: ["OK"] }, q: { default: "edge" } };
  const query = addDefaultFilters(new URLSearchParams("f.q=own&f.port=1"), { ...type, searchParam: { properties } });
  expect([...query]).toEqual([
    ["f.q", "own"],
    ["f.port", "1"],
    ["f.severity", "OK"],
  ]);
});
