import {
  maxDecimalDigits,
  type Filter,
  type FilterOperator,
  type FilterValueKind,
  type FilterValue,
  type SearchParam,
} from "@reports/core/query";
import {
  textsOf,
  type Language,
  type ReportColumn,
  type ReportOptions,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { joinNumberAndUnit } from "./amount-formatter.ts";
import { createDatePartsWriter, joinDateParts } from "./date-parts.ts";
import { getDateFormatter } from "./date-formatter.ts";
import { getDocumentLocales } from "./format-tags.ts";
import { maxCachedLocales, memoize } from "./memoize.ts";
import { getNumberFormatter } from "./number-formatter.ts";
import { createTitleLookup } from "./value-titles.ts";
import type { TextKey } from "./words/translation.ts";
import type { Words } from "./words/words.ts";

export interface FilterTextContext {
  readonly options: Pick<ReportOptions, "timezone" | "locale" | "language">;
  readonly words: Words;
}

/** Returns the function that writes a time within a sentence. Names and am/pm are in `language`, by default the locale's. */
export function getInstantFormatter(timezone: string, locale: string, language?: Language): (instant: Date) => string {
  return createInstantFormat(`${locale} ${timezone} ${language ?? ""}`);
}

const createInstantFormat = memoize((key) => {
  const [locale, timezone, given] = key.split(" ") as [string, string, Language | ""];
  const language = given === "" ? undefined : given;
  if (!getDocumentLocales(locale, language).isOne) {
    const day = createDatePartsWriter(locale, { timeZone: timezone, dateStyle: "long" }, language);
    const clock = createDatePartsWriter(locale, { timeZone: timezone, timeStyle: "short" }, language);
    return (instant: Date) => `${joinDateParts(day(instant))}, ${joinDateParts(clock(instant))}`;
  }
  if (locale !== "en") {
    const own = { timeZone: timezone, calendar: "gregory", dateStyle: "long", timeStyle: "short" } as const;
    const format = new Intl.DateTimeFormat(locale, own);
    return (instant: Date) => format.format(instant);
  }
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (instant: Date) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${part["day"]} ${part["month"]} ${part["year"]}, ${part["hour"]}:${part["minute"]}`;
  };
}, maxCachedLocales);

/** Returns one sentence per filter of a report, in the order of the report type's filters. Filters that the type no longer has come last. */
export function describeFilters(
  searchParam: SearchParam,
  definition: ReportTypeDefinition,
  conventions: FilterTextContext,
): string[] {
  const { words } = conventions;
  const { filters: names = {} } = textsOf(definition, words.language);
  const instant = getInstantFormatter(
    conventions.options.timezone,
    conventions.options.locale,
    conventions.options.language,
  );
  const byName = new Map(definition.filters.map((filter, at) => [filter.name, { filter, at }]));
  const placeOf = ([name]: readonly [string, unknown]): number => byName.get(name)?.at ?? byName.size;
  const inOrder = Object.entries(searchParam).toSorted((a, b) => placeOf(a) - placeOf(b));
  return inOrder.map(([name, given]) => {
    const filter = byName.get(name)?.filter;
    const column = filterColumn(filter, definition);
    const titleOf = createTitleLookup(column?.titles);
    const values = (Array.isArray(given) ? (given as readonly FilterValue[]) : [given as FilterValue]).map((value) =>
      describeValue(value, filter, {
        ...conventions,
        instant,
        titleOf,
        column,
      }),
    );
    return words.text(filterSentence(filter, given), {
      subject: column?.title ?? names[name] ?? filterSubject(name, filter, words),
      values: values.join(` ${words.text("or")} `),
    });
  });
}

const operatorSentences = {
  in: "filterIs",
  notIn: "filterIsNot",
  contains: "filterContains",
  suffix: "filterEndsWith",
  serves: "filterCovers",
  has: "filterIncludes",
  from: "filterAtLeast",
  to: "filterBelow",
  empty: "filterIsEmpty",
  parameter: "filterParameter",
} as const satisfies Readonly<Record<FilterOperator, TextKey>>;

const rangeOfDays = { from: "filterFrom", to: "filterBefore" } as const;
const rangeSentences = {
  timestamp: rangeOfDays,
  date: rangeOfDays,
  time: { from: "filterFromTime", to: "filterBeforeTime" },
} as const satisfies Readonly<Partial<Record<FilterValueKind, Readonly<Record<"from" | "to", TextKey>>>>>;
type RangeKind = keyof typeof rangeSentences;

function isTimeRange(
  filter: Filter,
): filter is Filter & { readonly value: RangeKind; readonly operator: "from" | "to" } {
  return Object.hasOwn(rangeSentences, filter.value) && (filter.operator === "from" || filter.operator === "to");
}

function filterSentence(
  filter: Filter | undefined,
  given: SearchParam[string],
): (typeof operatorSentences)[FilterOperator] | (typeof rangeSentences)[RangeKind]["from" | "to"] | "filterHasValue" {
  if (filter !== undefined && isTimeRange(filter)) return rangeSentences[filter.value][filter.operator];
  if (filter?.operator === "empty" && given === false) return "filterHasValue";
  return operatorSentences[filter?.operator ?? "in"];
}

function describeValue(
  value: FilterValue,
  filter: Filter | undefined,
  {
    options: { locale, language },
    instant,
    words,
    titleOf,
    column,
  }: FilterTextContext & {
    readonly instant: (at: Date) => string;
    readonly titleOf: (value: string) => string;
    readonly column: ReportColumn | undefined;
  },
): string {
  if (typeof value === "boolean") return words.text(value ? "filterYes" : "filterNo");
  if (filter?.value === "timestamp") return instant(new Date(String(value)));
  if (filter?.value === "date")
    return joinDateParts(createDatePartsWriter(locale, { dateStyle: "long" }, language)(new Date(String(value))));
  if (filter?.value === "time") return getDateFormatter(locale, language).timeOfDay(String(value));
  const numbers = getNumberFormatter(locale, language);
  if (column?.kind === "duration") return numbers.duration.write(String(value), maxDecimalDigits);
  if (filter?.value === "decimal" || (filter?.value === "integer" && column?.plainDigits !== true))
    return joinNumberAndUnit(numbers.decimal(String(value)), numbers.unit(fixedUnit(column), String(value)));
  return filter?.value === "text" ? words.text("quoted", { text: String(value) }) : titleOf(String(value));
}

function fixedUnit(column: ReportColumn | undefined): string {
  return column?.unit ?? (typeof column?.currency === "string" ? column.currency : "");
}

function filterColumn(filter: Filter | undefined, { columns }: ReportTypeDefinition): ReportColumn | undefined {
  const [first, ...others] = filter?.columns ?? [];
  return others.length === 0 ? columns.find((column) => column.key === first) : undefined;
}

/** Endings of filter names that repeat the operator, such as `regionNot`. They are cut off, because the sentence already states the operator. */
const nameEndings: Readonly<Partial<Record<FilterOperator, RegExp>>> = {
  notIn: /Not$/,
  empty: /Empty$/,
};

function filterSubject(name: string, filter: Filter | undefined, words: Words): string {
  if (filter?.operator === "contains") return words.text("filteredText");
  const spaced = name
    .replace(nameEndings[filter?.operator ?? "in"] ?? /(From|To)$/, "")
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
