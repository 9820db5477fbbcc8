import { expect, test } from "vitest";
import { describeNextRuns } from "./describe-next-runs.ts";

test("next runs are in the schedule's time zone, with the offset if an hour repeats", () => {
  const nextFires = ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"];
  expect(describeNextRuns({ nextFires, timezone: "Europe/Amsterdam" })).toEqual([
    "Next times, in Europe/Amsterdam:",
    "  Sun 2026-10-25 02:30 +02:00",
    "  Sun 2026-10-25 02:30 +01:00",
  ]);
});

test("next runs are in UTC if the time zone is unknown; without runs, no line is made", () => {
  expect(describeNextRuns({ nextFires: ["2026-10-25T00:30:00.000Z"], timezone: "Mars/Base" })).toEqual([
    "Next times, in UTC:",
    "  Sun 2026-10-25 00:30 +00:00",
  ]);
  expect(describeNextRuns({ nextFires: [], timezone: "UTC" })).toEqual([]);
});
