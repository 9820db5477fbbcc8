/** Writes instants as the wire form does: `2026-11-21 01:02:03.123+01`, in the time zone of the formatter. */
export type FormatTimestamp = (instant: Date) => string;

const dayInSeconds = 24 * 60 * 60;

/**
 * Makes the formatter of one IANA time zone. It rejects instants outside the years 1 to 9999 with RangeError; one that is in the year 10000
 * in this zone only is written so, as Postgres does.
 */
export function createTimestampFormatter(timezone: string): FormatTimestamp {
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (instant) => {
    const parts: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
    const year = (parts["year"] ?? "").padStart(4, "0");
    const isLate = year.length > 4;
    const day = `${year}-${parts["month"]}-${parts["day"]}`;
    const time = `${parts["hour"]}:${parts["minute"]}:${parts["second"]}`;
    const milliseconds = ((instant.getTime() % 1000) + 1000) % 1000;
    const fraction =
      milliseconds === 0
        ? ""
        : `.${String(milliseconds)
            .padStart(3, "0")
            .replace(/0{1,3}$/, "")}`;
    const sameInUtc = Date.parse(`${isLate ? "+0" : ""}${day}T${time}Z`);
    const offsetSeconds = Math.round((sameInUtc - (instant.getTime() - milliseconds)) / 1000);
    // Years before 1 are counted backwards and not marked, so that they seem to be years away from UTC.
    if ((isLate && instant.getUTCFullYear() > 9999) || Math.abs(offsetSeconds) > dayInSeconds)
      throw new RangeError("The time lies outside the years 1 to 9999.");
    return `${day} ${time}${fraction}${formatOffset(offsetSeconds)}`;
  };
}

function formatOffset(offsetSeconds: number): string {
  const size = Math.abs(offsetSeconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return `${offsetSeconds < 0 ? "-" : "+"}${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}
