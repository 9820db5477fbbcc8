import { Cron } from "croner";

export interface CronPattern {
  /** Whether the hour field is `*`. Such a pattern also runs in both passes of a repeated hour. */
  readonly everyHour: boolean;
  /** Returns the first local time of the pattern after `local`, or null if there is none. Local times are milliseconds, as if the zone were UTC. */
  next(local: number): number | null;
}

const maxPatternLength = 120;
/**
 * Allowed characters of a field. croner also accepts `?`, `+`, dates and `@daily` and gives them special meanings, which schedules do not support.
 */
const fieldPattern = /^[0-9A-Za-z*,/#-]+$/;
/** Maps each field name in croner's error messages to our name, and to the number to add to the value in the message. */
const cronerFields: Readonly<Record<string, readonly [name: string, lower: number]>> = {
  minute: ["minute", 0],
  hour: ["hour", 0],
  day: ["day of the month", 1],
  nearestWeekdays: ["day of the month", 1],
  month: ["month", 1],
  dayOfWeek: ["day of the week", 0],
};
const fieldRules = [
  ["minute", "* and 0 to 59"],
  ["hour", "* and 0 to 23"],
  ["day of the month", "*, 1 to 31, L and 15W"],
  ["month", "*, 1 to 12 and JAN to DEC"],
  ["day of the week", "*, 0 to 7, SUN to SAT, 5L and MON#1 to MON#5"],
] as const;
const fiveFields = "five fields with one space between them, such as 30 6 * * 1-5";
const fieldNames = fieldRules.map(([name]) => name).join(", ");
const nicknames: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};
const searchYears = 40;
/** The last local time of a run. It is one day before the year 9999 ends, so that no time zone moves it into the year 10000. */
const lastLocalTime = Date.UTC(9999, 11, 31);
const yearMs = 366 * 86_400_000;
const patternCache = new Map<string, CronPattern>();
const maxCachedPatterns = 1_000;

/**
 * Reads a pattern of five fields: minute, hour, day of the month, month, day of the week. Fields may have lists, ranges, steps, names, and
 * croner's `L`, `#` and `W`. If both day fields are restricted, a day matches if either does, as in cron. For an invalid pattern, returns a text
 * that completes "cron …".
 */
export function parseCronPattern(text: string): CronPattern | string {
  const known = patternCache.get(text);
  if (known !== undefined) return known;
  if (text.length > maxPatternLength) return `takes at most ${maxPatternLength} characters.`;
  const fields = text.split(" ");
  if (fields.length !== 5 || fields.includes("") || /\s/.test(fields.join(""))) return describeFieldCount(text);
  const foreign = fields.findIndex((each) => !fieldPattern.test(each));
  if (foreign >= 0) return `cannot be read: ${describeForeignCharacter(fields[foreign]!, foreign)}`;
  let cron: Cron;
  try {
    cron = parseCron(text);
  } catch (error) {
    return `cannot be read: ${describeError(error, fields)}`;
  }
  const pattern = {
    everyHour: fields[1] === "*",
    next(local: number): number | null {
      const next = cron.nextRun(new Date(local))?.getTime() ?? null;
      // A run after more than 40 years counts as never. The rarest dates, 29 February on a given weekday, recur within 40 years.
      return next === null || next > Math.min(lastLocalTime, local + searchYears * yearMs) ? null : next;
    },
  };
  if (patternCache.size >= maxCachedPatterns) patternCache.clear();
  patternCache.set(text, pattern);
  return pattern;
}

export function parseCronPatternOrThrow(text: string): CronPattern {
  const pattern = parseCronPattern(text);
  if (typeof pattern === "string") throw new RangeError(`cron ${pattern}`);
  return pattern;
}

function describeFieldCount(text: string): string {
  const rule = `must be ${fiveFields}: ${fieldNames}.`;
  const nickname = text.trim().toLowerCase();
  const meant = Object.hasOwn(nicknames, nickname) ? ` Instead of ${nickname}, write ${nicknames[nickname]}.` : "";
  if (nickname.startsWith("@")) return `${rule} Nicknames such as @daily are not supported.${meant}`;
  const count = text.split(/\s+/).filter((each) => each !== "").length;
  if (count === 5) return `${rule} It has other spaces.`;
  return `${rule} It has ${count === 1 ? "1 field" : `${count} fields`}.${count === 6 ? " There is no field for seconds." : ""}`;
}

function describeForeignCharacter(given: string, at: number): string {
  const character = [...given].find((each) => !fieldPattern.test(each))!;
  const instead = character === "?" ? " Write * for any value." : "";
  return `${fieldRules[at]![0]} ${JSON.stringify(given)} has the character ${JSON.stringify(character)}, which no pattern takes.${instead}`;
}

function parseCron(text: string): Cron {
  // croner gets local times as if they were UTC times, because clocks in UTC never change.
  return new Cron(text, { mode: "5-part", utcOffset: 0, paused: true });
}

/**
 * Describes croner's error with our names of fields. It takes only the invalid number from croner's message, because the rest describes croner's
 * internals.
 */
function describeError(error: unknown, fields: readonly string[]): string {
  const [, field = "", value] =
    /Invalid value for (\w+): (-?\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
  const [name, lower] = cronerFields[field] ?? [];
  if (name !== undefined && lower !== undefined) return `${Number(value) + lower} is not a valid ${name}.`;
  const at = fields.findIndex((each, index) => !isValidCron(fields.map((_, other) => (other === index ? each : "*"))));
  const [faulty, takes] = fieldRules[at] ?? ["pattern", "five fields"];
  const given = fields[at] ?? fields.join(" ");
  return `${faulty} "${given}" ${describeReason(given)}takes ${takes}; lists such as 1,3, rising ranges such as 1-5, and steps of at least 1 such as */2 and 1-5/2.`;
}

function describeReason(given: string): string {
  const parts = given.split(",");
  const step = parts.find((part) => /\/0+$/.test(part));
  if (step !== undefined) return `has the step 0 in ${step}; it `;
  const range = parts.find(isFallingRange);
  return range === undefined ? "" : `has the falling range ${range}; it `;
}

function isFallingRange(part: string): boolean {
  const [low, high] = (/^(\w+)-(\w+)/.exec(part) ?? []).slice(1).map(readOrdinal);
  return low !== undefined && high !== undefined && low > high;
}

const dayAndMonthNames = "SUN MON TUE WED THU FRI SAT JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");

function readOrdinal(word: string): number {
  const index = dayAndMonthNames.indexOf(word.toUpperCase());
  return index < 0 ? Number(word) : index;
}

function isValidCron(fields: readonly string[]): boolean {
  try {
    parseCron(fields.join(" "));
    return true;
  } catch {
    return false;
  }
}
