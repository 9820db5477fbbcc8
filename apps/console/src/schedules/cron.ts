export const scheduleRhythms = ["day", "workday", "week", "month", "cron"] as const;
export type ScheduleRhythm = (typeof scheduleRhythms)[number];

/** The weekdays in the order of cron, from 0 for Sunday. */
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

export interface CronChoices {
  readonly rhythm: ScheduleRhythm;
  readonly time: string;
  /** Day of the week, from 0 for Sunday to 6. */
  readonly weekday: string;
  /** Day of the month, 1 to 31, or `L` for the last one. */
  readonly day: string;
  readonly cron: string;
}

export function buildCron({ rhythm, time, weekday, day, cron }: CronChoices): string {
  if (rhythm === "cron") return cron.trim().replaceAll(/\s+/g, " ");
  const [hour = "", minute = ""] = time.split(":").map((part) => part.replace(/^0(?=\d)/, ""));
  const days = { day: "* * *", workday: "* * 1-5", week: `* * ${weekday}`, month: `${day} * *` }[rhythm];
  return `${minute} ${hour} ${days}`;
}

export function parseCron(cron: string): CronChoices {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const other: CronChoices = { rhythm: "cron", time: "07:00", weekday: "1", day: "1", cron };
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour) || month !== "*") return other;
  const plain = { ...other, time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` };
  if (day === "*" && weekday === "*") return { ...plain, rhythm: "day" };
  if (day === "*" && weekday === "1-5") return { ...plain, rhythm: "workday" };
  if (day === "*" && /^[0-6]$/.test(weekday)) return { ...plain, rhythm: "week", weekday };
  if (weekday === "*" && /^(?:L|\d+)$/.test(day)) return { ...plain, rhythm: "month", day };
  return other;
}

export function describeCron(cron: string): string {
  const { rhythm, time, weekday, day } = parseCron(cron);
  return {
    day: `Every day at ${time}`,
    workday: `Monday to Friday at ${time}`,
    week: `Every ${weekdays[Number(weekday)]} at ${time}`,
    month: day === "L" ? `On the last day of the month at ${time}` : `On day ${day} of the month at ${time}`,
    cron,
  }[rhythm];
}
