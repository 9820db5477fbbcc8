import { expect, test } from "vitest";
import { describeNextRuns } from "./describe-next-runs.ts";

test("times stand on the clocks of the schedule's zone, with the offset that tells a doubled hour apart", () => {
  const nextFires = ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"];
  expect(describeNextRuns({ nextFires, timezone: "Europe/Amsterdam" })).toEqual([
    "Next times, in Europe/Amsterdam:",
    "  Sun 2026-10-25 02:30 +02:00",
    "  Sun 2026-10-25 02:30 +01:00",
  ]);
});

test("a zone that this machine does not know is shown in UTC, and a schedule that is over tells nothing", () => {
  expect(describeNextRuns({ nextFires: ["2026-10-25T00:30:00.000Z"], timezone: "Mars/Base" })).toEqual([
    "Next times, in UTC:",
    "  Sun 2026-10-25 00:30 +00:00",
  ]);
  expect(describeNextRuns({ nextFires: [], timezone: "UTC" })).toEqual([]);
});
