const beyondLastYear = /^(1\d{4})-(\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?$/;

/**
 * A timestamp of the wire form that is in the year 10000 only where the report's time zone is ahead of UTC, in UTC: `9999-12-31 23:59:59`
 * stands for "never" in many systems, and years of five digits are read by none. Null for every other text.
 */
export function lateTimestampInUtc(text: string): string | null {
  const [, year, day, time, fraction = "", sign, hours, minutes = "00"] = beyondLastYear.exec(text) ?? [];
  if (year === undefined) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "+" ? 1 : -1);
  const utc = new Date(Date.parse(`+0${year}-${day}T${time}Z`) - offsetMs);
  if (utc.getUTCFullYear() > 9999) return null;
  return `${utc.toISOString().slice(0, 19).replace("T", " ")}${fraction}+00`;
}
