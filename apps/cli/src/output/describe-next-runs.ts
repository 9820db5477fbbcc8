import type { ReportSchedule } from "@reports/client";
import { toSafeText } from "./to-safe-text.ts";

export function describeNextRuns({ nextFires, timezone }: Pick<ReportSchedule, "nextFires" | "timezone">) {
  if (nextFires.length === 0) return [];
  const zone = isKnownTimezone(timezone) ? timezone : "UTC";
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "longOffset",
  });
  const lines = nextFires.map((time) => {
    const parts = format.formatToParts(new Date(time)).map(({ type, value }) => [type, value] as const);
    const { weekday, year, month, day, hour, minute, timeZoneName = "" } = Object.fromEntries(parts);
    return `  ${weekday} ${year}-${month}-${day} ${hour}:${minute} ${timeZoneName.replace("GMT", "") || "+00:00"}`;
  });
  return [`Next times, in ${toSafeText(zone)}:`, ...lines];
}

function isKnownTimezone(timezone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en-GB", { timeZone: timezone }));
  } catch {
    return false;
  }
}
