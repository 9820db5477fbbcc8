import { parseTime } from "@reports/client/times";
import { requireParsedOrThrow } from "./time-filters.ts";

const unitMs = { W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const;

/** Reads a time that the service stores as a fixed time, such as the start of a schedule. `in 30 days` counts from `now`. Throws a CommandError. */
export function parseInstantFlag(flag: string, text: string, timezone: string, now = Date.now()): string {
  const time = requireParsedOrThrow(flag, parseTime(text, { timezone }));
  const [, base, sign, duration = ""] = /^(now|today)(?:([+-])P(\d+[WD]|T\d+[HMS]))?$/.exec(time) ?? [];
  if (base === undefined) return requireParsedOrThrow(flag, refuseRelative(time));
  const count = Number.parseInt(duration.replace("T", ""), 10);
  const ms = duration === "" ? 0 : count * unitMs[duration.at(-1) as keyof typeof unitMs];
  const distance = sign === "-" ? -ms : ms;
  if (base === "now") return new Date(now + distance).toISOString();
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(now);
  if (duration.startsWith("T")) {
    const start = requireParsedOrThrow(flag, parseTime(today, { timezone }));
    return new Date(Date.parse(start) + distance).toISOString();
  }
  // Days are counted in the calendar, because a day on which the clock changes does not have 24 hours.
  const day = new Date(Date.parse(today) + distance).toISOString().slice(0, 10);
  return requireParsedOrThrow(flag, parseTime(day, { timezone }));
}

function refuseRelative(time: string): { readonly value: string } | { readonly wrong: string } {
  if (/^\d/.test(time)) return { value: time };
  return { wrong: "This time cannot be relative to a month or a year. Write 31.01.2027, in 30 days or tomorrow." };
}
