import { expect, test } from "vitest";
import { buildCron, describeCron, parseCron, type CronChoices } from "./cron.ts";

const when: CronChoices = { rhythm: "day", time: "06:05", weekday: "1", day: "1", cron: "" };

test.each([
  [{ rhythm: "day" }, "5 6 * * *", "Every day at 06:05"],
  [{ rhythm: "workday", time: "00:00" }, "0 0 * * 1-5", "Monday to Friday at 00:00"],
  [{ rhythm: "week", weekday: "0" }, "5 6 * * 0", "Every Sunday at 06:05"],
  [{ rhythm: "month", day: "31" }, "5 6 31 * *", "On day 31 of the month at 06:05"],
  [{ rhythm: "month", day: "L" }, "5 6 L * *", "On the last day of the month at 06:05"],
  [{ rhythm: "cron", cron: "  */20  9 * * * " }, "*/20 9 * * *", "*/20 9 * * *"],
  // Without a time, the pattern must not mean midnight. The API rejects this pattern.
  [{ time: "" }, "  * * *", "  * * *"],
] as const)("the form's choices %j make the cron pattern %j, described as %s", (part, pattern, text) => {
  expect(buildCron({ ...when, ...part })).toBe(pattern);
  expect(describeCron(pattern)).toBe(text);
  expect(buildCron(parseCron(pattern))).toBe(pattern.trim());
});

test.each(["5 6 1 2 *", "5 6 1 * 1", "5 6-8 * * *", "5 6 15W * *", "5 6 * * MON#1"])(
  "the cron pattern %s, which the form cannot make, is shown unchanged",
  (pattern) => {
    expect(describeCron(pattern)).toBe(pattern);
    expect(buildCron(parseCron(pattern))).toBe(pattern);
  },
);
