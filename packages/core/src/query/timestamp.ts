export const timestampRule = "an RFC 3339 time of the years 1000 to 9999 with an offset, such as 2026-01-31T08:00:00Z";

const rfc3339Pattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Returns an RFC 3339 time in UTC with at most six decimals, which is Postgres's precision; null if the text is invalid. Days that do not exist,
 * leap seconds and years before 1000 are invalid. Many programs misread such years (`0001-01-01T00:00:00Z`).
 */
export function normaliseTimestamp(text: string): string | null {
  const match = rfc3339Pattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", offset] = match as unknown as string[];
  const wallClock = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const asUtc = new Date(`${wallClock}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 19) !== wallClock) return null;
  const offsetMinutes = parseOffset(offset!);
  if (offsetMinutes === null) return null;
  const instant = new Date(asUtc.getTime() - offsetMinutes * 60_000);
  const utcYear = instant.getUTCFullYear();
  if (utcYear < 1000 || utcYear > 9999) return null;
  const digits = fraction.slice(0, 6).replace(/0{1,6}$/, "");
  return `${instant.toISOString().slice(0, 19)}${digits === "" ? "" : `.${digits}`}Z`;
}

function parseOffset(offset: string): number | null {
  if (offset === "Z" || offset === "z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

export function compareTimestamps(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.slice(0, -1).padEnd(26, text.includes(".") ? "0" : ".000000"));
  return left! < right! ? -1 : left! > right! ? 1 : 0;
}
