import { createTimestampFormatter } from "./zoned-timestamp.ts";

const quarterMs = 15 * 60_000;
const maxQuarters = 50_000;
const wireForm = /^(\d{4,5})-(\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/**
 * Makes what brings timestamps of the wire form into another time zone, as Postgres would have written them there. What is no instant
 * (infinity) or lies outside the years 1 to 9999 stays as it is.
 */
export function createRezone(timezone: string): (wireText: string) => string {
  const format = createTimestampFormatter(timezone);
  // Rows have many times and zones few offsets: Intl takes longer for one time than all else here for a row.
  const quarters = new Map<number, Offset | null>();

  const offsetIn = (instantMs: number): Offset | null => {
    const quarter = Math.floor(instantMs / quarterMs);
    let offset = quarters.get(quarter);
    if (offset !== undefined) return offset;
    if (quarters.size >= maxQuarters) quarters.clear();
    const begin = offsetOf(format, quarter * quarterMs);
    const end = offsetOf(format, (quarter + 1) * quarterMs - 1000);
    offset = begin !== null && begin.text === end?.text ? begin : null;
    quarters.set(quarter, offset);
    return offset;
  };

  return (wireText) => {
    const parts = wireForm.exec(wireText);
    if (parts === null) return wireText;
    const [, year = "", day, time, fraction = "", hours = "", minutes = "0", seconds = "0"] = parts;
    const local = Date.parse(`${year.length > 4 ? `+${year.padStart(6, "0")}` : year}-${day}T${time}Z`);
    const sign = hours.startsWith("-") ? -1 : 1;
    const offsetMs = (Number(hours) * 3600 + sign * (Number(minutes) * 60 + Number(seconds))) * 1000;
    const instantMs = local - offsetMs;
    if (Number.isNaN(instantMs)) return wireText;
    const offset = offsetIn(instantMs);
    const text = offset === null ? null : writeLocal(instantMs + offset.ms);
    if (offset !== null && text !== null) return `${text}${fraction}${offset.text}`;
    // A quarter in which the zone changes its offset, or a year that is beyond what ISO 8601 writes with four digits.
    const whole = tryFormat(format, instantMs);
    return whole === null ? wireText : whole.replace(/(?=[+-]\d\d(?::\d\d)*$)/, fraction);
  };
}

interface Offset {
  readonly text: string;
  readonly ms: number;
}

function offsetOf(format: (instant: Date) => string, instantMs: number): Offset | null {
  const text = tryFormat(format, instantMs);
  const parts = text === null ? null : /([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/.exec(text);
  if (parts === null) return null;
  const [whole, sign, hours, minutes = "0", seconds = "0"] = parts;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return { text: whole, ms: sign === "-" ? -size : size };
}

function tryFormat(format: (instant: Date) => string, instantMs: number): string | null {
  try {
    return format(new Date(instantMs));
  } catch {
    return null;
  }
}

/** Null where the year does not have four digits. */
function writeLocal(localMs: number): string | null {
  const text = new Date(localMs).toISOString();
  return text.length === 24 && text > "0001" ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : null;
}
