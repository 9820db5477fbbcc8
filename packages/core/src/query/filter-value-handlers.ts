import { z } from "zod";
import { dayRule, isDay } from "./day.ts";
import { compareDecimals, decimalPattern, decimalRule, normaliseDecimal } from "./decimal.ts";
import type { Filter, FilterValue, FilterValueKind } from "./filters.ts";
import { hostnameToAscii } from "./hostname.ts";
import {
  relativeTimePattern,
  relativeTimeRule,
  resolveRelativeDay,
  resolveRelativeTime,
  type RelativeTimeContext,
} from "./relative-time.ts";
import { createStorableTextRule, createTextRule, type TextRule } from "./text-rule.ts";
import { normaliseTimeOfDay, timeOfDayPattern, timeOfDayRule } from "./time-of-day.ts";
import { compareTimestamps, normaliseTimestamp, timestampRule } from "./timestamp.ts";
import { uuidPattern } from "./uuid-pattern.ts";

interface FilterKind {
  rule(filter: Filter): string;
  /** Normalises a value, which is text of a query or JSON. Returns null if it is invalid. Resolves a relative time at `moment`. */
  read(raw: unknown, filter: Filter, moment: RelativeTimeContext): FilterValue | null;
  schema(filter: Filter, choiceOf: (values: readonly [string, ...string[]]) => z.ZodType): z.ZodType;
  /** Compares two normalised values, so that an empty range can be refused. Returns a negative number if `a` is before `b`. */
  compare?(a: string, b: string): number;
  /** Set if a value can be a relative time, such as `today-P30D`. */
  readonly isRelative?: true;
}

/** Longest value of a text filter without `maxLength`, in characters. */
export const defaultMaxFilterTextLength = 255;
/** Longest host name before its normalisation, in characters. A valid one in Unicode can be longer than its normal form. */
const maxHostnameLength = 1024;

const filterTimeSchema = z
  .union([z.string().meta({ format: "date-time" }), z.string().regex(relativeTimePattern)])
  .meta({ id: "FilterTime", description: "A time (RFC 3339), or one relative to the request, such as thisMonth-P1M." });

const filterDaySchema = z.union([z.string().meta({ format: "date" }), z.string().regex(relativeTimePattern)]).meta({
  id: "FilterDay",
  description: "A day, or a time relative to the request, such as today-P30D, which means its day.",
});

const filterDecimalSchema = z
  .string()
  .regex(decimalPattern)
  .meta({ id: "FilterDecimal", description: "An exact number as text, such as 10.5." });

const filterTimeOfDaySchema = z.string().regex(timeOfDayPattern).meta({
  id: "FilterTimeOfDay",
  description: "A time of day without a zone, from 00:00 to 24:00, such as 08:30.",
});

export const filterValueHandlers: Readonly<Record<FilterValueKind, FilterKind>> = {
  enum: {
    rule: ({ values }) => `one of ${values!.join(", ")}`,
    read: (raw, { values }) => (typeof raw === "string" && values!.includes(raw) ? raw : null),
    schema: ({ values }, choiceOf) => choiceOf(values! as readonly [string, ...string[]]),
  },
  integer: {
    rule: (filter) => `an integer from ${integerRangeOf(filter).min} to ${integerRangeOf(filter).max}`,
    read(raw, filter) {
      const value = typeof raw === "string" && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw;
      const { min, max } = integerRangeOf(filter);
      // `value + 0` turns -0 into 0.
      return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max
        ? value + 0
        : null;
    },
    schema: (filter) => z.int().min(integerRangeOf(filter).min).max(integerRangeOf(filter).max),
  },
  decimal: {
    rule: ({ min, max }) =>
      decimalRule + (min === undefined ? "" : `, at least ${min}`) + (max === undefined ? "" : `, at most ${max}`),
    read(raw, { min, max }) {
      const value = typeof raw === "string" ? normaliseDecimal(raw) : null;
      if (value === null) return null;
      const isBelow = min !== undefined && compareDecimals(value, String(min)) < 0;
      const isAbove = max !== undefined && compareDecimals(value, String(max)) > 0;
      return isBelow || isAbove ? null : value;
    },
    schema: () => filterDecimalSchema,
    compare: compareDecimals,
  },
  boolean: {
    rule: () => "true or false",
    read: (raw) => (raw === true || raw === "true" ? true : raw === false || raw === "false" ? false : null),
    schema: () => z.boolean(),
  },
  timestamp: {
    rule: () => `${timestampRule}, or ${relativeTimeRule}`,
    read(raw, { name }, moment) {
      if (typeof raw !== "string") return null;
      const instant = resolveRelativeTime(raw, moment);
      // If a query does not encode the plus sign of an offset, the sign arrives as a space.
      return instant === null
        ? normaliseTimestamp(raw.replace(/ (?=\d\d:\d\d$)/, "+"))
        : (moment.instants?.[name] ?? instant);
    },
    schema: () => filterTimeSchema,
    compare: compareTimestamps,
    isRelative: true,
  },
  date: {
    rule: () => `${dayRule}, or ${relativeTimeRule}`,
    read(raw, { name }, moment) {
      if (typeof raw !== "string") return null;
      const day = resolveRelativeDay(raw, moment);
      return day === null ? (isDay(raw) ? raw : null) : (moment.instants?.[name] ?? day);
    },
    schema: () => filterDaySchema,
    compare: compareTextsByCodeUnit,
    isRelative: true,
  },
  time: {
    rule: () => timeOfDayRule,
    read: (raw) => (typeof raw === "string" ? normaliseTimeOfDay(raw) : null),
    schema: () => filterTimeOfDaySchema,
    compare: compareTextsByCodeUnit,
  },
  uuid: {
    rule: () => "an id (lower-case UUID)",
    read: (raw) => (typeof raw === "string" && uuidPattern.test(raw) ? raw : null),
    schema: () => z.string().regex(uuidPattern).meta({ format: "uuid" }),
  },
  hostname: {
    rule: () => "a host name, such as www.example.org",
    read: (raw, { operator }) => (typeof raw === "string" ? readHostname(raw, operator) : null),
    schema: () => z.string().min(1).max(maxHostnameLength).meta({ format: "idn-hostname" }),
  },
  text: {
    rule: (filter) => filter.form?.rule ?? textRuleOf(filter).words,
    read(raw, filter) {
      const text = typeof raw === "string" ? textRuleOf(acceptTitles(filter)).read(raw) : null;
      return text === null || filter.form === undefined ? text : filter.form.normalise(raw as string);
    },
    schema: (filter) =>
      z
        .string()
        .min(filter.minLength ?? 1)
        .max(filter.maxLength ?? defaultMaxFilterTextLength)
        .meta({ pattern: textRuleOf(filter).pattern }),
  },
};

export function compareTextsByCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function integerRangeOf({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Filter) {
  return { min, max };
}

function readHostname(raw: string, operator: Filter["operator"]): string | null {
  if (operator === "serves") return hostnameToAscii(raw, { wildcard: false });
  if (operator !== "suffix") return hostnameToAscii(raw);
  // A suffix may be a single label, such as `org`. hostnameToAscii refuses single labels, so the label x is added and removed again.
  return hostnameToAscii(`x.${raw}`)?.slice(2) ?? null;
}

/** Accepts texts up to the default length, because callers may send the title of a value. A later check refuses it and names the value. */
function acceptTitles(filter: Filter): Filter {
  const { valuesFrom, maxLength = defaultMaxFilterTextLength } = filter;
  return valuesFrom === undefined ? filter : { ...filter, maxLength: Math.max(maxLength, defaultMaxFilterTextLength) };
}

function textRuleOf({ operator, minLength = 1, maxLength = defaultMaxFilterTextLength, plainText }: Filter): TextRule {
  return plainText === true
    ? createTextRule(maxLength, { multiline: operator === "contains", minLength })
    : createStorableTextRule(maxLength, minLength);
}
