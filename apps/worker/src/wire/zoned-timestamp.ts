/** Writes instants as the wire form does: `2026-11-21 01:02:03.123+01`, in the time zone of the formatter. */
export type FormatTimestamp = (instant: Date) => string;

/** Makes the formatter of one IANA time zone. It rejects instants outside the years 1 to 9999 with RangeError. */
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
    era: "short",
  });
  return (instant) => {
    const parts: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
    const year = (parts["year"] ?? "").padStart(4, "0");
    if (year.length > 4 || year === "0000" || parts["era"]?.startsWith("B") === true)
      throw new RangeError("The time lies outside the years 1 to 9999.");
    const day = `${year}-${parts["month"]}-${parts["day"]}`;
    const time = `${parts["hour"]}:${parts["minute"]}:${parts["second"]}`;
    const milliseconds = ((instant.getTime() % 1000) + 1000) % 1000;
    const fraction =
      milliseconds === 0
        ? ""
        : `.${String(milliseconds)
            .padStart(3, "0")
            .replace(/0{1,3}$/, "")}`;
    const offsetSeconds = Math.round((Date.parse(`${day}T${time}Z`) - (instant.getTime() - milliseconds)) / 1000);
    return `${day} ${time}${fraction}${formatOffset(offsetSeconds)}`;
  };
}

function formatOffset(offsetSeconds: number): string {
  const size = Math.abs(offsetSeconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return `${offsetSeconds < 0 ? "-" : "+"}${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}
