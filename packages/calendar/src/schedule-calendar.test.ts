import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createScheduleCalendar } from "./schedule-calendar.ts";

interface GoldenRow {
  readonly timezone: string;
  readonly change: string;
  readonly cron: string;
  readonly fires: string;
}

const calendar = createScheduleCalendar();
const goldenText = readFileSync(new URL("./golden.json", import.meta.url), "utf8");
const golden = JSON.parse(goldenText) as readonly GoldenRow[];
const hourMs = 3_600_000;

const runsBetween = (cron: string, timezone: string, from: string, to: string): string[] => {
  const found: string[] = [];
  for (const instant of calendar.timesAfter({ cron, timezone }, new Date(Date.parse(from) - 1))) {
    if (instant.getTime() >= Date.parse(to)) break;
    found.push(instant.toISOString().replace(":00.000Z", "Z"));
  }
  return found;
};
const around = (change: string, hours: number): string => new Date(Date.parse(change) + hours * hourMs).toISOString();

describe("around changes of the clock", () => {
  test("around clock changes in 12 zones, each pattern has the runs of the golden table", () => {
    expect(golden).toHaveLength(12 * 2 * 8);
    const wrong = golden.flatMap(({ timezone, change, cron, fires }) => {
      const found = runsBetween(cron, timezone, around(change, -14), around(change, 14)).join(" ");
      return found === fires ? [] : [{ timezone, change, cron, fires, found }];
    });
    expect(wrong).toEqual([]);
  });

  test("a search that starts at a run of the golden table finds the table's next run", () => {
    for (const { timezone, cron, fires } of golden) {
      const all = fires.split(" ").filter((fire) => fire !== "");
      for (const [index, fire] of all.entries()) {
        if (index === 0) continue;
        const [next] = calendar.timesAfter({ cron, timezone }, new Date(all[index - 1]!));
        expect(next, `${cron} in ${timezone} after ${all[index - 1]}`).toEqual(new Date(fire));
      }
    }
  });
});

describe("patterns", () => {
  const after = new Date("2026-11-22T12:00:00Z");
  test.each([
    ["0 0 L * *", "2026-11-30T00:00:00.000Z"],
    ["0 0 * * 5#2", "2026-12-11T00:00:00.000Z"],
    ["0 0 15W 8 *", "2027-08-16T00:00:00.000Z"],
    ["0 0 29 2 *", "2028-02-29T00:00:00.000Z"],
    ["30 6 * * MON-FRI", "2026-11-23T06:30:00.000Z"],
    ["0 12 * * *", "2026-11-23T12:00:00.000Z"],
    ["0 0 13 * 5", "2026-11-27T00:00:00.000Z"],
  ])("the next run of the cron pattern %s is %s", (cron, next) => {
    expect(calendar.problemOf(cron)).toBeNull();
    const [first] = calendar.timesAfter({ cron, timezone: "UTC" }, after);
    expect(first?.toISOString()).toBe(next);
  });

  test.each(["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"])("the cron pattern %s has no runs", (cron) => {
    expect(calendar.problemOf(cron)).toBeNull();
    expect([...calendar.timesAfter({ cron, timezone: "Europe/Amsterdam" }, after)]).toEqual([]);
  });

  test.each([
    "",
    "* * * *",
    "* * * * * *",
    "@daily",
    "2026-01-01T00:00:00",
    "? * * * *",
    "0 0 * * +1",
    "0  0 * * *",
    " 0 0 * * *",
    "0 0 * * *\n",
    "60 * * * *",
    "0 24 * * *",
    "*/0 * * * *",
    "5-1 * * * *",
    "0 0 32 * *",
    "0 0 * 13 *",
    "0 0 * * 8",
    "0 0 * * 1#6",
    "0 0 W * *",
    `${"0,".repeat(60)}0 * * * *`,
  ])("problemOf says why the cron pattern %j is invalid", (cron) => {
    expect(calendar.problemOf(cron)).toMatch(/^(must be|cannot be read: |takes at most ).+\.$/);
    expect(() => [...calendar.timesAfter({ cron, timezone: "UTC" }, after)]).toThrow(RangeError);
  });
});

const common = "lists such as 1,3, rising ranges such as 1-5, and steps of at least 1 such as */2 and 1-5/2";
test.each([
  ["0 0 * * ,", `day of the week "," takes *, 0 to 7, SUN to SAT, 5L and MON#1 to MON#5; ${common}.`],
  ["5-1 * * * *", `minute "5-1" has the falling range 5-1; it takes * and 0 to 59; ${common}.`],
  ["0,*/0 * * * *", `minute "0,*/0" has the step 0 in */0; it takes * and 0 to 59; ${common}.`],
  [
    "0 0 * * 1,FRI-MON",
    `day of the week "1,FRI-MON" has the falling range FRI-MON; it takes *, 0 to 7, SUN to SAT, 5L and MON#1 to MON#5; ${common}.`,
  ],
  ["0 0 * NOV-FEB *", `month "NOV-FEB" has the falling range NOV-FEB; it takes *, 1 to 12 and JAN to DEC; ${common}.`],
  ["0 0 MON * *", `day of the month "MON" takes *, 1 to 31, L and 15W; ${common}.`],
  ["0 0 ? * *", `day of the month "?" has the character "?", which no pattern takes. Write * for any value.`],
  ["0 0 * * +1", `day of the week "+1" has the character "+", which no pattern takes.`],
  ["0 */99 * * *", `hour "*/99" takes * and 0 to 23; ${common}.`],
  ["0 0 W * *", `day of the month "W" takes *, 1 to 31, L and 15W; ${common}.`],
  ["0 0 * JANUARY *", `month "JANUARY" takes *, 1 to 12 and JAN to DEC; ${common}.`],
])("problemOf names the invalid field of %s and the allowed values", (cron, words) => {
  expect(calendar.problemOf(cron)).toBe(`cannot be read: ${words}`);
});

test.each([
  ["60 * * * *", "60 is not a valid minute."],
  ["0 24 * * *", "24 is not a valid hour."],
  ["0 0 32 * *", "32 is not a valid day of the month."],
  ["0 0 0 * *", "0 is not a valid day of the month."],
  ["0 0 30-33 * *", "32 is not a valid day of the month."],
  ["0 0 32W * *", "32 is not a valid day of the month."],
  ["0 0 * 13 *", "13 is not a valid month."],
  ["0 0 * 0 *", "0 is not a valid month."],
  ["0 0 * * 8", "8 is not a valid day of the week."],
])("problemOf names the invalid number in %s as the caller wrote it", (cron, words) => {
  expect(calendar.problemOf(cron)).toBe(`cannot be read: ${words}`);
});

const rule =
  "must be five fields with one space between them, such as 30 6 * * 1-5: minute, hour, day of the month, month, day of the week.";
test.each([
  ["@daily", `${rule} Nicknames such as @daily are not supported. Instead of @daily, write 0 0 * * *.`],
  ["@Weekly", `${rule} Nicknames such as @daily are not supported. Instead of @weekly, write 0 0 * * 0.`],
  ["@reboot", `${rule} Nicknames such as @daily are not supported.`],
  ["* * * *", `${rule} It has 4 fields.`],
  ["0 * * * * *", `${rule} It has 6 fields. There is no field for seconds.`],
  ["0  0 * * *", `${rule} It has other spaces.`],
  ["0 0 * * *\n", `${rule} It has other spaces.`],
  ["2026-01-01T00:00:00", `${rule} It has 1 field.`],
])("problemOf says why %j does not have five fields", (cron, words) => {
  expect(calendar.problemOf(cron)).toBe(words);
});

test("no cron pattern has a run after the year 9999", () => {
  for (const timezone of ["America/New_York", "Asia/Tokyo"])
    for (const cron of ["0 0 * * *", "0 * * * *"])
      expect([...calendar.timesAfter({ cron, timezone }, new Date("9999-12-31T23:59:59Z"))]).toEqual([]);
});

test("tzVersion is the version of the time zone rules of Node", () => {
  expect(calendar.tzVersion).toMatch(/^20\d\d[a-z]$/);
});
