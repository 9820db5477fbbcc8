import { expect, test } from "vitest";
import { toSummaryInTimezone } from "./local-summary.ts";

test("a report's summary shows its times in the time zone of the report", () => {
  const figure = { key: "latest", title: "Latest", tone: "neutral" } as const;
  const figures = [
    { ...figure, kind: "timestamp", value: "2026-11-21 23:30:00+00" },
    { ...figure, kind: "timestamp", value: null },
    { ...figure, kind: "date", value: "2026-11-21" },
  ] as const;
  const local = toSummaryInTimezone(
    { figures, charts: [], attention: null },
    { columns: [], summary: { figures: [], charts: [] } },
    "Europe/Berlin",
  );
  expect(local.figures.map(({ value }) => value)).toEqual(["2026-11-22 00:30:00+01", null, "2026-11-21"]);
});
