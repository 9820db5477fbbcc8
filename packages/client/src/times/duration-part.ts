/** One part of an ISO 8601 duration: `P30D` is 30 days. */
export interface DurationPart {
  readonly count: number;
  readonly unit: DurationUnit;
}

type DurationUnit = keyof typeof letters;

const letters = { year: "Y", month: "M", week: "W", day: "D", hour: "H", minute: "M", second: "S" } as const;
/** The units, the longest first. */
const units = Object.keys(letters) as readonly DurationUnit[];
const spellings: Readonly<Record<string, DurationUnit>> = {
  y: "year",
  yr: "year",
  mo: "month",
  w: "week",
  d: "day",
  h: "hour",
  hr: "hour",
  min: "minute",
  s: "second",
  sec: "second",
  ...Object.fromEntries(units.map((unit) => [unit, unit])),
};
const isoPattern = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Reads `30d`, `30 days` and `a week`. Returns null for other text. `m` is not read, because it can mean minutes or months. */
export function parseDurationWords(text: string): DurationPart | null {
  const [, count = "", word = ""] = /^(\d{1,5}|an?|one)? ?([a-z]+)$/.exec(text) ?? [];
  const singular = word.length > 2 ? word.replace(/s$/, "") : word;
  const unit = Object.hasOwn(spellings, singular) ? spellings[singular] : undefined;
  if (unit === undefined || count === "") return null;
  return { count: /^\d/.test(count) ? Number(count) : 1, unit };
}

export function formatIsoDuration({ count, unit }: DurationPart): string {
  const isTime = unit === "hour" || unit === "minute" || unit === "second";
  return `P${isTime ? "T" : ""}${count}${letters[unit]}`;
}

/** Splits an ISO 8601 duration, such as `P1DT6H`, into its parts, the longest unit first. */
export function parseIsoDuration(text: string): readonly DurationPart[] {
  const counts = isoPattern.exec(text)?.slice(1) ?? [];
  return counts.flatMap((count, at) => (count === undefined ? [] : [{ count: Number(count), unit: units[at]! }]));
}

/** Describes a duration in words: `30 days`, `1 day and 6 hours`. */
export function describeDuration(parts: readonly DurationPart[]): string {
  return parts.map(({ count, unit }) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" and ");
}
