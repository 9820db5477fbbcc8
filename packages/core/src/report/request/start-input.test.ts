import { describe, expect, it } from "vitest";
import { DomainError } from "../../base/errors.ts";
import { builtInReportTypes } from "../definitions/built-in-report-types.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import * as startInput from "./start-input.ts";

const now = new Date("2026-08-19T13:45:10Z");
const startInputFromQuery = (definition: ReportTypeDefinition, pairs: readonly (readonly [string, string])[]) =>
  startInput.startInputFromQuery(definition, pairs, now);
const startInputFromBody = (definition: ReportTypeDefinition, body: Readonly<Record<string, unknown>>) =>
  startInput.startInputFromBody(definition, body, now);

const proxyReport = builtInReportTypes.find(({ type }) => type === "PROXY")!;

const issuesOf = (act: () => unknown): readonly { parameter?: string; pointer?: string; message: string }[] => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return (error as DomainError).issues;
  }
  throw new Error("It should have been refused.");
};
const refusal = (...pairs: [string, string][]): string[] =>
  issuesOf(() => startInputFromQuery(proxyReport, pairs)).map((issue) => `${issue.parameter}: ${issue.message}`);

describe("mistakes in lists", () => {
  const body = {
    reportType: "PROXY",
    columns: ["zz", "yy", "name", "name", 1],
    sort: ["x", "-y", "name", "-name"],
    searchParam: { health: ["UPP", "UP", "XX"], kind: "REVERS" },
  };

  it("every wrong element of a list in a body is reported with its location", () => {
    const issues = issuesOf(() => startInputFromBody(proxyReport, body));
    expect(issues.map(({ pointer, message }) => `${pointer} ${message.slice(0, 26)}`)).toEqual([
      '/columns/0 columns has no "zz". Allow',
      '/columns/1 columns has no "yy". Allow',
      "/columns/3 columns names name twice.",
      '/columns/4 columns has no "1". Allowe',
      '/sort/0 sort has no "x". Allowed: ',
      '/sort/1 sort has no "y". Allowed: ',
      "/sort/3 sort names name twice.",
      "/searchParam/health/0 health must be one of UP, ",
      "/searchParam/health/2 health must be one of UP, ",
      "/searchParam/kind kind must be one of REVERS",
    ]);
  });

  it("every wrong value of a list in a query is reported", () => {
    const pairs = [
      ["columns", "zz,name,yy"],
      ["searchParam[health]", "UPP"],
      ["searchParam[health]", "XX"],
    ] as const;
    const issues = issuesOf(() => startInputFromQuery(proxyReport, pairs));
    expect(issues.map(({ parameter, message }) => `${parameter}: ${message.slice(0, 17)}`)).toEqual([
      'columns: columns has no "z',
      'columns: columns has no "y',
      "searchParam[health]: health must be on",
      "searchParam[health]: health must be on",
    ]);
  });
});

describe("parameters of a start", () => {
  it("a start without options gets every default", () => {
    expect(startInputFromQuery(proxyReport, [["reportType", "PROXY"]])).toEqual({
      definition: proxyReport,
      title: "Proxy inventory",
      searchParam: {},
      searchParamGiven: {},
      defaulted: [],
      options: {
        format: "pdf",
        csvBom: true,
        compression: "none",
        columns: [...proxyReport.pdfColumns],
        sort: ["health", "name"],
        groupBy: null,
        timezone: "UTC",
        locale: "en",
        language: "en",
        paper: "A4",
        orientation: "auto",
        accessible: null,
        keepRows: false,
      },
    });
  });

  it("only pdf defaults to pdfColumns; other formats default to all columns", () => {
    const columnsOf = (format: string): readonly string[] =>
      startInputFromQuery(proxyReport, [["format", format]]).options.columns;
    expect(columnsOf("pdf")).toEqual(proxyReport.pdfColumns);
    for (const format of ["xlsx", "csv", "json", "ndjson"])
      expect(columnsOf(format)).toEqual(proxyReport.columns.map(({ key }) => key));
  });

  it("a start without a locale gets the locale of its language", () => {
    const optionsOf = (...pairs: [string, string][]) => startInputFromQuery(proxyReport, pairs).options;
    expect(optionsOf(["language", "pl"])).toMatchObject({ language: "pl", locale: "pl" });
    expect(optionsOf(["language", "pl"], ["locale", "en-GB"])).toMatchObject({ language: "pl", locale: "en-GB" });
    expect(() => optionsOf(["language", "ar"])).toThrow("language must be one of en, de, fr, nl, es, pl.");
  });

  it("a start keeps the caller's name of a time zone, whether it is old or new", () => {
    for (const timezone of ["Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "Europe/Kiev"])
      expect(startInputFromQuery(proxyReport, [["timezone", timezone]]).options.timezone).toBe(timezone);
  });

  it("the same options in a query and in a body give the same start", () => {
    const query = startInputFromQuery(proxyReport, [
      ["format", "csv"],
      ["csvBom", "false"],
      ["compression", "gzip"],
      ["columns", "name,port"],
      ["sort", "-port,name"],
      ["groupBy", "region"],
      ["timezone", "europe/berlin"],
      ["locale", "de-ch"],
      ["title", " U\u0308bersicht "],
      ["searchParam[health]", "DOWN"],
    ]);
    const body = startInputFromBody(proxyReport, {
      reportType: "PROXY",
      format: "csv",
      csvBom: false,
      compression: "gzip",
      columns: ["name", "port"],
      sort: ["-port", "name"],
      groupBy: "region",
      timezone: "Europe/Berlin",
      locale: "de-CH",
      title: "Übersicht",
      searchParam: { health: ["DOWN"] },
    });
    expect(query).toEqual(body);
  });

  it.each([{ csvBom: "true" }, { csvBom: 1 }, { columns: "name" }, { sort: "name" }])(
    "a start refuses a body in which a value has another JSON type: %j",
    (options) => {
      const [name] = Object.keys(options);
      const issues = issuesOf(() => startInputFromBody(proxyReport, { reportType: "PROXY", ...options }));
      expect(issues.map(({ pointer }) => pointer)).toEqual([`/${name}`]);
    },
  );

  it("all problems of a start's body are reported together", () => {
    const issues = issuesOf(() =>
      startInputFromBody(proxyReport, {
        reportType: "PROXY",
        format: "doc",
        sort: "name",
        fromat: "csv",
        searchParam: { health: "x" },
      }),
    );
    expect(issues.map((issue) => issue.pointer)).toEqual(["/fromat", "/format", "/sort", "/searchParam/health"]);
  });

  it.each<[string, string, string]>([
    ["format", "PDF", "format must be one of pdf, xlsx, csv, json, ndjson."],
    ["csvBom", "1", "csvBom must be true or false."],
    ["columns", "name,nam", 'columns has no "nam". Did you mean name?'],
    ["columns", "name,name", "columns names name twice."],
    ["columns", ",", 'columns has no "".'],
    ["columns", "name,nam,nam", 'columns has no "nam".'],
    ["columns", "name,name,name", "columns names name twice."],
    ["sort", "-tags", 'sort has no "tags".'],
    ["groupBy", "name", "groupBy must be one of kind, software, region"],
    ["timezone", "+01:00", "timezone must be an IANA time zone"],
    ["timezone", "Mars/Olympus", "timezone must be an IANA time zone"],
    ["locale", "not_a_locale", "locale must be a language tag"],
    ["title", "a\nb", "title must be text of 1 to 120 characters"],
    ["title", "", "title must be text of 1 to 120 characters"],
    ["compression", "gzip", "compression must be none for pdf"],
    ["colums", "name", "Did you mean columns?"],
  ])("a start refuses %s=%s and says what is allowed", (name, value, message) => {
    const found = refusal([name, value]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${name}: `);
    expect(found[0]).toContain(message);
  });

  it("a start refuses a repeated option", () => {
    expect(refusal(["format", "csv"], ["format", "csv"])[0]).toContain("format takes one value");
  });
});
