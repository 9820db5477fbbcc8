import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { getNumberFormatter } from "./number-formatter.ts";
import { emptySummary } from "./rows.fixture.ts";
import { toLocalisedSummary } from "./localised-summary.ts";
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

test.each([
  ["en", "Isolation: not known", ["Isolation: Yes", "Isolation: No"], "Isolation: not known"],
  ["de", "no isolation", ["Isolation: Ja", "Isolation: Nein"], "Isolation: nicht bekannt"],
] as const)(
  "in %s, a chart of booleans with the label %j names its column in its labels",
  (language, label, points, omitted) => {
    const column = { key: "isolation", title: "Isolation", kind: "boolean", width: 8 } as const;
    const own = { ...chart, key: "isolation", categories: { column: "isolation", top: 5 }, measure: { kind: "count" } };
    const shown = toLocalisedSummary(
      {
        ...emptySummary,
        charts: [
          {
            ...chart,
            key: "isolation",
            points: ["t", "f"].map((each) => ({ label: each, tone: "neutral", values: [1] })),
            omitted: [{ label, value: 3 }],
          },
        ],
      },
      { columns: [column], summary: { figures: [], charts: [own as never] } },
      { words: getWords(language), numbers: getNumberFormatter(language) },
    );
    expect(shown.charts[0]!.points.map((point) => point.label)).toEqual(points);
    expect(shown.charts[0]!.omitted.map((one) => one.label)).toEqual([omitted]);
  },
);

test("a chart labels bars with value titles and its series with the measure's title", () => {
  const own = {
    key: "severities",
    title: "Data by severity",
    categories: { column: "severity", top: 5 },
    measure: { kind: "sum", column: "bytesOut24h" },
  } as const;
  const shown = toLocalisedSummary(
    { ...emptySummary, charts: [chart] },
    { ...definition, summary: { figures: [], charts: [own] } },
    { words: getWords("en"), numbers: getNumberFormatter("en") },
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
