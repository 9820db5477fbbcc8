import { formatExact, parseExact, roundExact, withoutExponent, type Language } from "@reports/core/report";
import { getFormatTags, removeDirectionMarks } from "./format-tags.ts";
import { maxLocales, memoize } from "./memoize.ts";

/** Writes numbers as a locale does, from their exact decimal text. */
export interface NumberFormat {
  /** Formats a decimal: `-1234567.50` → `-1,234,567.50`. Other text (`NaN`) is returned unchanged. */
  decimal(text: string): string;
  /** Formats a ratio in percent with two decimals: `0.0512` → `5.12%`. A positive ratio that rounds to zero becomes `<0.01%`. */
  percent(text: string): string;
  /** Formats bytes in the decimal unit with at most three digits before the point: `16500000000000` → `16.5 TB`, `512` → `512 B`. */
  bytes(text: string): string;
  /** Formats a number rounded and short, for a place too narrow for all digits: `16490000000000` → `16.5T`. */
  short(text: string): string;
}

/** Maximum digits that a double can hold, so that Intl can format them. */
const maxFormattedDigits = 300;
const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const noBreakSpace = "\u00A0";

const exactNumberPattern = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;

interface LocaleConventions {
  readonly digits: readonly string[];
  readonly group: string;
  readonly point: string;
  readonly minus: string;
  readonly primary: number;
  readonly secondary: number;
  /** Minimum number of digits before the decimal point for which digits are grouped. */
  readonly groupedFrom: number;
}

/**
 * Returns the number format of a locale in a document of a language, whose conventions are read from Intl once. Without a language, the locale gives the words.
 * Intl is too slow to call per cell, and its objects are too slow to make per report.
 */
export function getNumberFormat(locale: string, language?: Language): NumberFormat {
  return createNumberFormat(`${locale} ${language ?? ""}`);
}

const createNumberFormat = memoize((key): NumberFormat => {
  const [locale = "", given] = key.split(" ");
  const { format, words, isOne } = getFormatTags(locale, given === "" ? undefined : (given as Language));
  const convention = readConventions(format, isOne);
  const [before, after] = percentAffixes(format).map((text) => (isOne ? text : removeDirectionMarks(text)));
  const compact = new Intl.NumberFormat(words, { notation: "compact", maximumFractionDigits: 1 });
  const scientific = new Intl.NumberFormat(format, { notation: "scientific", maximumFractionDigits: 2 });
  const decimal = (text: string): string => writeDecimal(text, convention);
  return {
    decimal,
    percent(text) {
      if (!exactNumberPattern.test(text)) return text;
      const { digits, scale } = parseExact(text);
      const rounded = formatExact(roundExact({ digits: digits * 100n, scale }, 2));
      const isNothing = rounded === "0.00";
      if (digits > 0n && isNothing) return `<${before}${decimal("0.01")}${after}`;
      return `${before}${decimal(rounded)}${after}`;
    },
    bytes(text) {
      let value = Number(text);
      if (!Number.isFinite(value)) return text;
      let unit = 0;
      // The limit considers rounding: 999,960 is 1.0 MB, not 1,000 kB.
      while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
        value /= 1000;
        unit++;
      }
      return `${decimal(roundBytes(value, unit))}${noBreakSpace}${byteUnits[unit]}`;
    },
    short(text) {
      const value = Number(text);
      if (Number.isNaN(value)) return text;
      // Numbers beyond the locale's largest word or beyond a double are written with a power of ten.
      const size = Math.abs(value);
      if (size === Infinity && exactNumberPattern.test(text)) return writeBeyondDouble(text, scientific, decimal);
      const isZero = size === 0 && !/[1-9]/.test(text);
      if (!isZero && !(size >= 1 && size < 1e15)) {
        const power = scientific.format(text as `${number}`);
        return isOne ? power : removeDirectionMarks(power);
      }
      if (isOne) return compact.format(text as `${number}`);
      return joinParts(compact.formatToParts(text as `${number}`).map((part) => withSeparator(part, convention)));
    },
  };
}, maxLocales);

/** Replaces a separator or sign by that of the locale. */
function withSeparator(part: Intl.NumberFormatPart, { point, group, minus }: LocaleConventions): Intl.NumberFormatPart {
  const own: Partial<Record<Intl.NumberFormatPartTypes, string>> = { decimal: point, group, minusSign: minus };
  return { type: part.type, value: own[part.type] ?? part.value };
}

/** Writes a number beyond a double, which Intl cannot format. Intl formats the leading digits, and the number of the others is added to the exponent. */
function writeBeyondDouble(text: string, scientific: Intl.NumberFormat, decimal: (text: string) => string): string {
  const whole = withoutExponent(text).split(".")[0]!;
  const leading = whole.slice(0, maxFormattedDigits) as `${number}`;
  // Reads the exponent that Intl wrote, because Intl may have rounded up to the next power of ten.
  const plain = new Intl.NumberFormat("en", scientific.resolvedOptions());
  const written = plain.formatToParts(leading).find(({ type }) => type === "exponentInteger")!.value;
  const exponent = Number(written) + whole.length - leading.length;
  const parts = scientific.formatToParts(leading);
  return joinParts(
    parts.map((part) => (part.type === "exponentInteger" ? { ...part, value: decimal(String(exponent)) } : part)),
  );
}

/** Rounds to one decimal after one or two digits. Plain bytes are whole. */
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

/** Returns where the digits before the point end; 0 for negative numbers and other text. Avoids a regular expression for most numbers. */
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

function readConventions(locale: string, keepsMarks: boolean): LocaleConventions {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 });
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
  return [textBeforeNumber(parts), joinParts(parts.slice(at + 1))];
}

/** Returns the sign, and the direction mark that some scripts have before it. */
function textBeforeNumber(parts: readonly Intl.NumberFormatPart[]): string {
  return joinParts(
    parts.slice(
      0,
      parts.findIndex((part) => part.type === "integer"),
    ),
  );
}

function joinParts(parts: readonly Intl.NumberFormatPart[]): string {
  return parts.map((part) => part.value).join("");
}
