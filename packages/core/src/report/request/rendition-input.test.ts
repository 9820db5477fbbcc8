import { expect, test } from "vitest";
import { builtInReportTypes } from "../definitions/built-in-report-types.ts";
import { omitColumnsAddedAfter } from "../types/omit-columns-added-after.ts";
import { renditionOptionsFromBody } from "./rendition-input.ts";
import { startInputFromBody } from "./start-input.ts";

const current = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
const first = omitColumnsAddedAfter(current, 1);

function startedReport(definition: typeof current, body: object) {
  const input = startInputFromBody(definition, { reportType: "PROXY_DOMAIN", ...body }, new Date());
  return { definitionVersion: definition.version, title: input.title, options: input.options };
}

test("an additional format of a report of type version 1 has that version's columns", () => {
  const all = first.columns.map(({ key }) => key);
  expect(all).toEqual(current.columns.map(({ key }) => key).slice(0, 22));
  const fromPdf = startedReport(first, { format: "pdf" });
  expect(renditionOptionsFromBody(current, fromPdf, { format: "csv" }).columns).toEqual(all);
  const fromCsv = startedReport(first, { format: "csv" });
  expect(renditionOptionsFromBody(current, fromCsv, { format: "xlsx" }).columns).toEqual(all);
  expect(renditionOptionsFromBody(current, fromCsv, { format: "pdf" }).columns).toEqual(first.pdfColumns);
});

test("an additional format of type version 1 cannot show a column of version 2", () => {
  const report = startedReport(first, { format: "csv" });
  const ask = () =>
    renditionOptionsFromBody(current, report, { format: "csv", columns: ["hostname", "proxyOwnerTeam"] });
  expect(ask).toThrow(/"proxyOwnerTeam"/);
});

test("an additional format of a version 2 report has the column new in version 2", () => {
  const report = startedReport(current, { format: "pdf" });
  expect(renditionOptionsFromBody(current, report, { format: "csv" }).columns.at(-1)).toBe("proxyOwnerTeam");
  const named = { format: "csv", columns: ["proxyOwnerTeam"] };
  expect(renditionOptionsFromBody(current, report, named).columns).toEqual(["proxyOwnerTeam"]);
});

test("an additional format has the locale of its language unless the report set one", () => {
  const plain = startedReport(current, { format: "pdf" });
  const german = { language: "de", locale: "de" };
  expect(renditionOptionsFromBody(current, plain, { format: "xlsx", language: "de" })).toMatchObject(german);
  const swiss = startedReport(current, { format: "pdf", locale: "de-CH" });
  expect(renditionOptionsFromBody(current, swiss, { format: "xlsx", language: "de" }).locale).toBe("de-CH");
});
