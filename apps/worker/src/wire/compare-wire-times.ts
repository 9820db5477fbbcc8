import { createTimestampConverter } from "@reports/core/base";

const plainPattern = /^\d{4}-[^B]*$/;
const toUtc = createTimestampConverter("UTC");

/** Compares dates or timestamps of the wire form by time. Years before 1 and after 9999, and `infinity`, are allowed. */
export function compareWireTimes(a: string, b: string): number {
  const [left, right] = [inUtc(a), inUtc(b)];
  if (plainPattern.test(left) && plainPattern.test(right)) return compareTexts(left, right);
  const [from, to] = [momentOf(left), momentOf(right)];
  return from.year === to.year ? compareTexts(from.rest, to.rest) : from.year - to.year;
}

/** Row snapshots of earlier versions have offsets other than UTC. In UTC, texts sort like times, because `+` sorts before `.` and the digits. */
function inUtc(text: string): string {
  return text.length <= 10 || text.endsWith("+00") || text.endsWith("BC") ? text : toUtc(text);
}

function momentOf(text: string): { readonly year: number; readonly rest: string } {
  if (text === "infinity") return { year: Infinity, rest: "" };
  if (text === "-infinity") return { year: -Infinity, rest: "" };
  const [year = ""] = /^\d+/.exec(text) ?? [];
  return { year: text.endsWith(" BC") ? 1 - Number(year) : Number(year), rest: text.slice(year.length) };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
