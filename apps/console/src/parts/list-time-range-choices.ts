import { describeTime, parseTimeRangeEnd, type TimeRange } from "@reports/client/times";

export interface TimeRangeChoice {
  readonly label: string;
  readonly range: TimeRange;
}

const dayMs = 86_400_000;
const thisMonth: TimeRangeChoice = { label: "This month", range: { from: "thisMonth", to: "thisMonth+P1M" } };
const expiryChoices: readonly TimeRangeChoice[] = [
  { label: "Expired", range: { to: "now" } },
  ...[7, 14, 30, 90].map((days) => ({ label: `Within ${days} days`, range: { from: "now", to: `now+P${days}D` } })),
  thisMonth,
];
const pastChoices: readonly TimeRangeChoice[] = [
  { label: "Today", range: { from: "today", to: "today+P1D" } },
  ...[7, 30, 90].map((days) => ({ label: `Last ${days} days`, range: { from: `now-P${days}D`, to: "now" } })),
  thisMonth,
];

const periodNames = [
  "yesterday",
  "today",
  "tomorrow",
  ...["last", "this", "next"].flatMap((which) =>
    ["week", "month", "quarter", "year"].map((unit) => `${which} ${unit}`),
  ),
];

export function listTimeRangeChoices(expires: boolean): readonly TimeRangeChoice[] {
  return expires ? expiryChoices : pastChoices;
}

export function isSameTimeRange(a: TimeRange, b: TimeRange): boolean {
  return a.from === b.from && a.to === b.to;
}

export type TimeRangeEndName = "from" | "to";

interface ReadOptions {
  readonly timezone: string;
  readonly expires: boolean;
  readonly days?: boolean;
}

/**
 * Reads one end of a range of times as a user typed it. If the last end is a day, the range includes that day. Returns the time for the API, or the
 * error to show.
 */
export function readTimeRangeEnd(
  text: string,
  end: TimeRangeEndName,
  { timezone, expires, days = false }: ReadOptions,
): ReturnType<typeof parseTimeRangeEnd> {
  return parseTimeRangeEnd(text, end, { timezone, days, direction: expires ? "future" : "past" });
}

/** Writes a time of the API as users type it, if `readTimeRangeEnd` reads the same time from that text. Otherwise returns the time unchanged. */
export function formatTimeRangeEnd(time: string, end: TimeRangeEndName, options: ReadOptions): string {
  const instant = Date.parse(time);
  const included =
    end === "to" && !Number.isNaN(instant)
      ? [new Date(instant - dayMs).toISOString().slice(0, options.days === true ? 10 : undefined)]
      : [];
  const texts = [...included, time].map((one) => describeTime(one, options));
  return (
    [...texts, ...periodNames].find((text) => isSameTime(readTimeRangeEnd(text, end, options).value, time)) ?? time
  );
}

function isSameTime(a: string | undefined, b: string): boolean {
  return a === b || (a !== undefined && Date.parse(a) === Date.parse(b));
}
