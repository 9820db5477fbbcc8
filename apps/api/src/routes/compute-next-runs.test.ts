import { createScheduleCalendar } from "@reports/calendar";
import type { ScheduleCalendar } from "@reports/core/schedule";
import { expect, test } from "vitest";
import { createNextRunsComputer } from "./compute-next-runs.ts";

const calendar = createScheduleCalendar();
const daily = {
  cron: "30 6 * * *",
  timezone: "Europe/Berlin",
  startsAt: null,
  endsAt: null,
  nextFireAt: new Date("2030-03-29T05:30:00Z"),
};

function createRecordingCalendar(events: string[]): ScheduleCalendar {
  return {
    ...calendar,
    timesAfter: (schedule, after) => {
      events.push(after.toISOString());
      return calendar.timesAfter(schedule, after);
    },
  };
}

test("a schedule shows its next five runs, from nextFireAt to at most endsAt", async () => {
  const nextRuns = createNextRunsComputer(calendar);
  const shown = async (changed: object) => (await nextRuns({ ...daily, ...changed })).map((at) => at.toISOString());
  const whole = ["29T05:30", "30T05:30", "31T04:30"].map((text) => `2030-03-${text}:00.000Z`);
  expect(await shown({})).toEqual([...whole, "2030-04-01T04:30:00.000Z", "2030-04-02T04:30:00.000Z"]);
  expect(await shown({ endsAt: new Date("2030-03-31T12:00:00Z") })).toEqual(whole);
  expect(await shown({ nextFireAt: null })).toEqual([]);
});

test("run times of a schedule are computed once, until the schedule changes", async () => {
  const computed: string[] = [];
  const nextRuns = createNextRunsComputer(createRecordingCalendar(computed));
  const first = await nextRuns(daily);
  expect(await nextRuns({ ...daily })).toEqual(first);
  expect(computed).toHaveLength(4);
  await nextRuns({ ...daily, timezone: "UTC" });
  expect(computed).toHaveLength(8);
});

test("other work can run between the computation of two run times of a schedule", async () => {
  const events: string[] = [];
  const nextRuns = createNextRunsComputer(createRecordingCalendar(events));
  let isDone = false;
  const other = (): void => {
    events.push("other");
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  await nextRuns(daily);
  isDone = true;
  const computed = events.flatMap((event, index) => (event === "other" ? [] : [index]));
  expect(computed).toHaveLength(4);
  for (const [position, index] of computed.slice(1).entries()) expect(index - computed[position]!).toBeGreaterThan(1);
});
