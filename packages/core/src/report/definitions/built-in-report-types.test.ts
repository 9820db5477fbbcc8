import { expect, test } from "vitest";
import { builtInReportTypes } from "./built-in-report-types.ts";

test.each(builtInReportTypes)("$type searches text only in columns that the report shows", ({ filters, columns }) => {
  const shown = columns.map(({ key }) => key);
  const searched = filters.filter(({ operator }) => operator === "contains").flatMap((filter) => filter.columns);
  expect(searched.filter((column) => !shown.includes(column))).toEqual([]);
});

test.each(builtInReportTypes)(
  "$type gives each value the same tone in its column, in figures and in charts",
  (definition) => {
    const { figures, charts } = definition.summary;
    const counted = [
      ...figures.flatMap(({ aggregate, tone }) => (aggregate.kind === "count" ? { where: aggregate.where, tone } : [])),
      ...charts.flatMap(({ series = [] }) => series),
    ];
    const tonesUsed = counted.flatMap(({ where, tone }) => {
      const tones = definition.columns.find(({ key }) => key === where?.column)?.tones;
      return tones === undefined ? [] : (where?.in ?? []).map((value) => ({ value, tone, own: tones[value] }));
    });
    expect(tonesUsed).not.toEqual([]);
    expect(tonesUsed.filter(({ tone, own }) => tone !== own)).toEqual([]);
  },
);

test.each(builtInReportTypes)(
  "$type names a value in figures and charts by the title of the value",
  ({ columns, summary }) => {
    const { figures, charts } = summary;
    const counted = [
      ...figures.flatMap(({ title, aggregate }) =>
        aggregate.kind === "count" ? { name: title, where: aggregate.where } : [],
      ),
      ...charts.flatMap(({ series = [] }) => series.map(({ label, where }) => ({ name: label, where }))),
    ];
    const named = counted.flatMap(({ name, where }) => {
      const titles = columns.find(({ key }) => key === where?.column)?.titles;
      return titles !== undefined && where?.in?.length === 1 ? [{ name, title: titles[where.in[0]!] }] : [];
    });
    expect(named).not.toEqual([]);
    expect(named.filter(({ name, title }) => name !== title)).toEqual([]);
  },
);

test.each(builtInReportTypes)("$type gives no tone to PROD and the tone muted to STAGING and DEV", ({ columns }) => {
  const environment = columns.find(({ titles = {} }) => "PROD" in titles)!;
  const shown = Object.keys(environment.titles!).map((value) => [value, environment.tones?.[value] ?? "neutral"]);
  expect(Object.fromEntries(shown)).toEqual({ PROD: "neutral", STAGING: "muted", DEV: "muted" });
});

test("PROXY_DOMAIN explains every severity, with its limits, and every issue", () => {
  const { columns } = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
  const explained = columns.filter(({ key }) => key === "severity" || key === "issues");
  for (const { titles, meanings } of explained) expect(Object.keys(meanings!)).toEqual(Object.keys(titles!));
  expect(explained.find(({ key }) => key === "severity")!.meanings).toMatchObject({
    CRITICAL: "Less time remains than the smaller of 3 days and a tenth of the lifetime (at least 1 day).",
    WARN: "Less time remains than the smaller of 14 days and a third of the lifetime (at least 7 days), but the certificate is not critical.",
  });
});

test.each(builtInReportTypes)("$type gives no tone to chart bars of non-negative number ranges", ({ summary }) => {
  const parts = summary.charts.flatMap(({ categories }) => ("parts" in categories ? categories.parts : []));
  const ranges = parts.filter(({ where }) => (where.atLeast ?? -1) >= 0);
  expect(ranges.filter(({ tone = "neutral" }) => tone !== "neutral")).toEqual([]);
});
