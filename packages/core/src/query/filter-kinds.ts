import { z } from "zod";
import type { Filter, FilterValue, FilterValueKind } from "./filters.ts";
import { hostnameToAscii } from "./hostname.ts";
import { relativeTimePattern, relativeTimeRule, resolveRelativeTime, type Moment } from "./relative-time.ts";
import { normaliseTimestamp, timestampRule } from "./timestamp.ts";
import { uuidPattern } from "./uuid-pattern.ts";

/** All that a kind of value is known by. */
interface FilterKind {
  /** What a value must be, in words that complete "… must be". */
  rule(filter: Filter): string;
  /** The value as it is kept, out of text (of a query) or JSON; null for what it may not be. `moment` is when relative times are meant. */
  read(raw: unknown, filter: Filter, moment: Moment): FilterValue | null;
  /** The value in JSON, for the documentation. `choiceOf` makes the schema of a choice between texts. */
  schema(filter: Filter, choiceOf: (values: readonly [string, ...string[]]) => z.ZodType): z.ZodType;
}

const maxTextLength = 255;
/** A host name before it is normalised, in characters. */
const maxHostnameLength = 1024;

const filterTimeSchema = z
  .union([z.string().meta({ format: "date-time" }), z.string().regex(relativeTimePattern)])
  .meta({ id: "FilterTime", description: "A time (RFC 3339), or one relative to the request, such as thisMonth-P1M." });

/** What a filter's values may be, kind by kind. */
export const filterKinds: Readonly<Record<FilterValueKind, FilterKind>> = {
  enum: {
    rule: ({ values }) => `one of ${values!.join(", ")}`,
    read: (raw, { values }) => (typeof raw === "string" && values!.includes(raw) ? raw : null),
    schema: ({ values }, choiceOf) => choiceOf(values! as readonly [string, ...string[]]),
  },
  integer: {
    rule: (filter) => `an integer from ${rangeOf(filter).min} to ${rangeOf(filter).max}`,
    read(raw, filter) {
      const value = typeof raw === "string" && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw;
      const { min, max } = rangeOf(filter);
      // Without the sign of -0.
      return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max
        ? value + 0
        : null;
    },
    schema: (filter) => z.int().min(rangeOf(filter).min).max(rangeOf(filter).max),
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
      return instant === null ? normaliseTimestamp(raw) : (moment.instants?.[name] ?? instant);
    },
    schema: () => filterTimeSchema,
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
    rule: ({ form, maxLength = maxTextLength }) => form?.rule ?? `text of 1 to ${maxLength} characters without NUL`,
    read(raw, { form, maxLength = maxTextLength }) {
      if (typeof raw !== "string" || !isText(raw, maxLength)) return null;
      // In the form in which texts are written, so that it can match one.
      return form === undefined ? raw.normalize("NFC") : form.normalise(raw);
    },
    schema: ({ maxLength = maxTextLength }) => z.string().min(1).max(maxLength).meta({ pattern: "^[^\\u0000]*$" }),
  },
};

function rangeOf({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Filter) {
  return { min, max };
}

function readHostname(raw: string, operator: Filter["operator"]): string | null {
  if (operator === "serves") return hostnameToAscii(raw, { wildcard: false });
  if (operator !== "suffix") return hostnameToAscii(raw);
  // A suffix may be a single label, which is no whole host name.
  return hostnameToAscii(`x.${raw}`)?.slice(2) ?? null;
}

function isText(text: string, maxLength: number): boolean {
  // Postgres has no NUL in text, and a lone surrogate has no UTF-8 form.
  return text !== "" && [...text].length <= maxLength && !text.includes("\0") && text.isWellFormed();
}
