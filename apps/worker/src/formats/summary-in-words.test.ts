import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { getNumberFormat } from "./number-format.ts";
import { emptySummary } from "./rows.fixture.ts";
import { summaryInWords } from "./summary-in-words.ts";
import { getWords } from "./words/words.ts";

const definition = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
const chart = {
  key: "severities",
  title: "Data by severity",
  series: [{ label: "Data", tone: "neutral" }],
  points: [
    { label: "WARN", tone: "warn", values: [16_500_000_000_000] },
    { label: "constructor", tone: "neutral", values: [1] },
  ],
  omitted: [{ label: "no severity", value: 3 }],
} as const;

test("a chart has the titles of its column's values and of its measure", () => {
  const own = {
    key: "severities",
    title: "Data by severity",
    categories: { column: "severity", top: 5 },
    measure: { kind: "sum", column: "bytesOut24h" },
  } as const;
  const shown = summaryInWords(
    { ...emptySummary, charts: [chart] },
    { ...definition, summary: { figures: [], charts: [own] } },
    { words: getWords("en"), numbers: getNumberFormat("en") },
  );
  expect(shown.charts).toEqual([
    {
      ...chart,
      kind: "bytes",
      series: [{ label: "Data out 24 h", tone: "neutral" }],
      points: [
        { label: "Expiring soon", tone: "warn", values: [16_500_000_000_000] },
        { label: "constructor", tone: "neutral", values: [1] },
      ],
    },
  ]);
});
