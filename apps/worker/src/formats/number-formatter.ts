import {
  formatExactNumber,
  languages,
  parseExactNumber,
  roundExact,
  withoutExponent,
  type Language,
} from "@reports/core/report";
import { createDurationFormatter, type DurationFormatter } from "./duration-formatter.ts";
import { getDocumentLocales, removeDirectionMarks } from "./format-tags.ts";
import { maxCachedLocales, memoize } from "./memoize.ts";
import { translateUnit } from "./unit-words.ts";
import { getWords } from "./words/words.ts";

export interface NumberFormatter {
  /** Formats a decimal: `-1234567.50` → `-1,234,567.50`. Returns other text, such as `NaN`, unchanged. */
  decimal(text: string): string;
  /** Formats a decimal that is rounded to `digits` places: `1234.5` with 2 → `1,234.50`. Returns other text, such as `NaN`, unchanged. */
  rounded(text: string, digits: number): string;
  /**
   * Formats an amount in a currency (ISO 4217), rounded to the currency's decimal places or to `digits`: `1234.5` → `€1,234.50`. An unknown code is
   * written next to the unrounded amount.
   */
  amount(text: string, currency: string, digits?: number): string;
  /** Returns the texts before and after a positive amount in a currency, and its decimal places; null for an unknown code. */
  currency(code: string): CurrencyAffixes | null;
  /** Formats a ratio as a percentage with two decimals, or `digits`: `0.0512` → `5.12%`. A positive ratio that rounds to zero becomes `<0.01%`. */
  percent(text: string, digits?: number): string;
  /** Formats bytes in the decimal unit with at most three digits before the point: `16500000000000` → `16.5 TB`, `512` → `512 B`. */
  bytes(text: string): string;
  /** Returns a unit in the plural form of a number: `days` and `1` → `day`. A unit that is not countable stays as it is. */
  unit(unit: string, number: string): string;
  readonly duration: DurationFormatter;
  short(text: string): string;
}

/** Maximum number of digits that are passed to Intl, which formats numbers beyond the range of a double (309 digits) as infinity. */
const maxFormattedDigits = 300;
const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const noBreakSpace = "\u00A0";

const exactNumberPattern = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;

export interface CurrencyAffixes {
  readonly before: string;
  readonly after: string;
  readonly places: number;
}

interface LocaleConventions {
  readonly digits: readonly string[];
  readonly group: string;
  readonly point: string;
  readonly minus: string;
  readonly primary: number;
  readonly secondary: number;
  /** Minimum number of digits before the decimal point at which the locale groups digits. */
  readonly groupedFrom: number;
}

/** Returns the number format of a locale, cached because Intl's objects are slow to create. Words are in `language`, by default the locale's. */
export function getNumberFormatter(locale: string, language?: Language): NumberFormatter {
  return createNumberFormat(`${locale} ${language ?? ""}`);
}

const createNumberFormat = memoize((key): NumberFormatter => {
  const [locale = "", given] = key.split(" ");
  const { format, words, isOne } = getDocumentLocales(locale, given === "" ? undefined : (given as Language));
  const convention = readConventions(format, isOne);
  const [before, after] = percentAffixes(format).map((text) => (isOne ? text : removeDirectionMarks(text)));
  const compact = new Intl.NumberFormat(words, { notation: "compact", maximumFractionDigits: 1 });
  const scientific = new Intl.NumberFormat(format, { notation: "scientific", maximumFractionDigits: 2 });
  const currencyOf = createCurrencyLookup(format, isOne);
  const decimal = (text: string): string => writeDecimal(text, convention);
  const documentLanguage = languageOf(words);
  const numbers: Omit<NumberFormatter, "duration"> = {
    decimal,
    rounded: (text, digits) => decimal(roundDecimalText(text, digits)),
    amount(text, code, digits) {
      const own = currencyOf(code);
      if (own === null) return `${decimal(roundDecimalText(text, digits))}${noBreakSpace}${code}`;
      const rounded = roundDecimalText(text, digits ?? own.places);
      const size = rounded.replace(/^-/, "");
      const [before, after] = size !== rounded && /[1-9]/.test(size) ? own.negative : own.positive;
      return `${before}${writeDecimal(size, own.convention)}${after}`;
    },
    currency(code) {
      const own = currencyOf(code);
      return own && { before: own.positive[0], after: own.positive[1], places: own.places };
    },
    percent(text, places = 2) {
      if (!exactNumberPattern.test(text)) return text;
      const { digits, scale } = parseExactNumber(text);
      const shown = formatExactNumber(roundExact({ digits: digits * 100n, scale }, places));
      if (digits > 0n && !/[1-9]/.test(shown)) return `<${before}${decimal(shown.replace(/.$/, "1"))}${after}`;
      return `${before}${decimal(shown)}${after}`;
    },
    bytes(text) {
      let value = Number(text);
      if (!Number.isFinite(value)) return text;
      let unit = 0;
      // The limit allows for rounding: 999,960 bytes are 1.0 MB, not 1,000 kB.
      while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
        value /= 1000;
        unit++;
      }
      return `${decimal(roundBytes(value, unit))}${noBreakSpace}${byteUnits[unit]}`;
    },
    unit: (unit, number) => translateUnit(unit, number, documentLanguage),
    short(text) {
      const value = Number(text);
      if (Number.isNaN(value)) return text;
      const size = Math.abs(value);
      if (size === Infinity && exactNumberPattern.test(text)) return writeBeyondDouble(text, scientific, decimal);
      const isZero = size === 0 && !/[1-9]/.test(text);
      if (!isZero && !(size >= 1 && size < 1e15)) {
        const power = scientific.format(text as `${number}`);
        return isOne ? power : removeDirectionMarks(power);
      }
      if (isOne) return compact.format(text as `${number}`);
      return joinDateParts(compact.formatToParts(text as `${number}`).map((part) => withSeparator(part, convention)));
    },
  };
  return { ...numbers, duration: createDurationFormatter(getWords(documentLanguage), numbers) };
}, maxCachedLocales);

function languageOf(tag: string): Language {
  const { language } = new Intl.Locale(tag);
  return languages.find((known) => known === language) ?? "en";
}

export function roundDecimalText(text: string, digits: number | undefined): string {
  return digits !== undefined && /^-?\d+(\.\d+)?$/.test(text)
    ? formatExactNumber(roundExact(parseExactNumber(text), digits))
    : text;
}

function createCurrencyLookup(locale: string, keepsMarks: boolean): (code: string) => CurrencyConventions | null {
  const known = new Set(Intl.supportedValuesOf("currency"));
  const currencies = new Map<string, CurrencyConventions>();
  return (code) => {
    if (!known.has(code)) return null;
    const found = currencies.get(code) ?? readCurrency(locale, keepsMarks, code);
    currencies.set(code, found);
    return found;
  };
}

interface CurrencyConventions {
  readonly convention: LocaleConventions;
  readonly places: number;
  readonly positive: readonly [string, string];
  readonly negative: readonly [string, string];
}

function readCurrency(locale: string, keepsMarks: boolean, currency: string): CurrencyConventions {
  const style = { style: "currency", currency } as const;
  const format = new Intl.NumberFormat(locale, style);
  const affixes = (value: number): [string, string] => {
    const parts = format.formatToParts(value);
    const last = parts.findLastIndex(({ type }) => type === "integer" || type === "fraction");
    const found = [textBeforeNumber(parts), joinDateParts(parts.slice(last + 1))].map((text) =>
      keepsMarks ? text : removeDirectionMarks(text),
    );
    return [found[0]!, found[1]!];
  };
  return {
    convention: readConventions(locale, keepsMarks, style),
    places: format.resolvedOptions().maximumFractionDigits ?? 2,
    positive: affixes(1),
    negative: affixes(-1),
  };
}

function withSeparator(part: Intl.NumberFormatPart, { point, group, minus }: LocaleConventions): Intl.NumberFormatPart {
  const own: Partial<Record<Intl.NumberFormatPartTypes, string>> = { decimal: point, group, minusSign: minus };
  return { type: part.type, value: own[part.type] ?? part.value };
}

/** Writes a number beyond the range of a double. Intl formats the leading digits, and the number of the other digits is added to the exponent. */
function writeBeyondDouble(text: string, scientific: Intl.NumberFormat, decimal: (text: string) => string): string {
  const whole = withoutExponent(text).split(".")[0]!;
  const leading = whole.slice(0, maxFormattedDigits) as `${number}`;
  // The exponent is read from the text that Intl writes, because rounding can have raised it to the next power of ten.
  const plain = new Intl.NumberFormat("en", scientific.resolvedOptions());
  const written = plain.formatToParts(leading).find(({ type }) => type === "exponentInteger")!.value;
  const exponent = Number(written) + whole.length - leading.length;
  const parts = scientific.formatToParts(leading);
  return joinDateParts(
    parts.map((part) => (part.type === "exponentInteger" ? { ...part, value: decimal(String(exponent)) } : part)),
  );
}

/** Writes one decimal after one or two whole digits (`16.5`), and none after three. Plain bytes are whole. */
function roundBytes(value: number, unit: number): string {
  return value.toFixed(unit > 0 && Math.abs(value) < 99.95 ? 1 : 0);
}

function writeDecimal(text: string, convention: LocaleConventions): string {
  const { digits, point } = convention;
  if (digits[0] === "0") {
    const end = findWholeEnd(text);
    if (end > 0) {
      const whole = end < convention.groupedFrom ? text.slice(0, end) : groupDigits(text.slice(0, end), convention);
      return end === text.length ? whole : whole + point + text.slice(end + 1);
    }
  }
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return text;
  const [, sign, whole = "", fraction] = match;
  const grouped = whole.length < convention.groupedFrom ? whole : groupDigits(whole, convention);
  const plain = `${sign === "-" ? convention.minus : ""}${grouped}${fraction === undefined ? "" : point + fraction}`;
  return digits[0] === "0" ? plain : plain.replace(/[0-9]/g, (digit) => digits[Number(digit)]!);
}

/** Returns the index at which the digits before the point end; 0 for negative numbers and other text. It is faster than a regular expression. */
function findWholeEnd(text: string): number {
  let end = 0;
  while (isDigitAt(text, end)) end++;
  if (end === text.length || end === 0) return end;
  let last = end + 1;
  while (isDigitAt(text, last)) last++;
  return text.charCodeAt(end) === 0x2e && last === text.length && last > end + 1 ? end : 0;
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function groupDigits(whole: string, convention: LocaleConventions): string {
  let end = whole.length - convention.primary;
  let grouped = whole.slice(Math.max(end, 0));
  while (end > 0) {
    grouped = whole.slice(Math.max(end - convention.secondary, 0), end) + convention.group + grouped;
    end -= convention.secondary;
  }
  return grouped;
}

function readConventions(
  locale: string,
  keepsMarks: boolean,
  style: Pick<Intl.NumberFormatOptions, "style" | "currency"> = {},
): LocaleConventions {
  const format = new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: 1 });
  const parts = format.formatToParts(-12_345_678_901.5);
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const groups = parts.filter((candidate) => candidate.type === "integer").map((candidate) => candidate.value.length);
  const groupsAt = (value: number): boolean =>
    format.formatToParts(value).some((candidate) => candidate.type === "group");
  return {
    digits: Array.from({ length: 10 }, (_, digit) =>
      new Intl.NumberFormat(locale, { useGrouping: false }).format(digit),
    ),
    group: part("group"),
    point: part("decimal"),
    minus: keepsMarks ? textBeforeNumber(parts) : removeDirectionMarks(textBeforeNumber(parts)),
    primary: groups.at(-1) ?? 3,
    secondary: groups.at(-2) ?? 3,
    groupedFrom: groups.length < 2 ? Infinity : groupsAt(1234) ? 4 : 5,
  };
}

function percentAffixes(locale: string): [string, string] {
  const parts = new Intl.NumberFormat(locale, { style: "percent" }).formatToParts(0.5);
  const at = parts.findIndex((part) => part.type === "integer");
  return [textBeforeNumber(parts), joinDateParts(parts.slice(at + 1))];
}

function textBeforeNumber(parts: readonly Intl.NumberFormatPart[]): string {
  return joinDateParts(
    parts.slice(
      0,
      parts.findIndex((part) => part.type === "integer"),
    ),
  );
}

function joinDateParts(parts: readonly Intl.NumberFormatPart[]): string {
  return parts.map((part) => part.value).join("");
}
