import { expect, test } from "vitest";
import { builtInReportTypes } from "./built-in-report-types.ts";

test.each(builtInReportTypes)("$type searches text only in columns that it shows", ({ filters, columns }) => {
  const shown = columns.map(({ key }) => key);
  const searched = filters.filter(({ operator }) => operator === "contains").flatMap((filter) => filter.columns);
  expect(searched.filter((column) => !shown.includes(column))).toEqual([]);
});

test.each(builtInReportTypes)("$type gives a value one tone: in its column, in figures and in charts", (definition) => {
  const { figures, charts } = definition.summary;
  const counted = [
    ...figures.flatMap(({ aggregate, tone }) => (aggregate.kind === "count" ? { where: aggregate.where, tone } : [])),
    ...charts.flatMap(({ series = [] }) => series),
  ];
  const told = counted.flatMap(({ where, tone }) => {
    const tones = definition.columns.find(({ key }) => key === where?.column)?.tones;
    return tones === undefined ? [] : (where?.in ?? []).map((value) => ({ value, tone, own: tones[value] }));
  });
  expect(told).not.toEqual([]);
  expect(told.filter(({ tone, own }) => tone !== own)).toEqual([]);
});

test.each(builtInReportTypes)(
  "$type colours no bar of a range of numbers, which says nothing of how bad they are",
  ({ summary }) => {
    const parts = summary.charts.flatMap(({ categories }) => ("parts" in categories ? categories.parts : []));
    const ranges = parts.filter(({ where }) => (where.atLeast ?? -1) >= 0);
    expect(ranges.filter(({ tone = "neutral" }) => tone !== "neutral")).toEqual([]);
  },
);
