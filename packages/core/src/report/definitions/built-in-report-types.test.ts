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

test.each(builtInReportTypes)("$type gives no tone to the bars of number ranges in its charts", ({ summary }) => {
  const parts = summary.charts.flatMap(({ categories }) => ("parts" in categories ? categories.parts : []));
  const ranges = parts.filter(({ where }) => (where.atLeast ?? -1) >= 0);
  expect(ranges.filter(({ tone = "neutral" }) => tone !== "neutral")).toEqual([]);
});
