import { expect, test } from "vitest";
import { describeNextRuns } from "./describe-next-runs.ts";

test("formats runs in the schedule's zone, with the offset for a repeated hour", () => {
  const nextFires = ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"];
  expect(describeNextRuns({ nextFires, timezone: "Europe/Amsterdam" })).toEqual([
    "Next times, in Europe/Amsterdam:",
    "  Sun 2026-10-25 02:30 +02:00",
    "  Sun 2026-10-25 02:30 +01:00",
  ]);
});

test("uses UTC for an unknown zone, and returns no lines if there are no runs", () => {
  expect(describeNextRuns({ nextFires: ["2026-10-25T00:30:00.000Z"], timezone: "Mars/Base" })).toEqual([
    "Next times, in UTC:",
    "  Sun 2026-10-25 00:30 +00:00",
  ]);
  expect(describeNextRuns({ nextFires: [], timezone: "UTC" })).toEqual([]);
});
