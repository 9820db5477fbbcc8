import type { InputIssue } from "../errors.ts";
import { suggestName } from "../query/nearest-name.ts";
import { compressibleFormats, compressions, isCompressible, type ReportFormat } from "./format.ts";
import type { ReportOptions } from "./options.ts";
import type { ReportTypeDefinition } from "./report-type.ts";

/** Names of the options that a start takes beside reportType and searchParam. docs/contract.md §2.4. */
export const reportOptionNames: readonly string[] = [
  "format",
  "csvBom",
  "compression",
  "columns",
  "sort",
  "groupBy",
  "timezone",
  "locale",
  "title",
];

/** Of a report's title, in characters. */
export const maxTitleLength = 120;
/** How many columns a report may be sorted by. */
export const maxSortKeys = 5;

type Locate = (name: string) => Pick<InputIssue, "parameter" | "pointer">;

/** The options with every default filled in, or everything that was wrong with them. */
export type ParsedOptions =
  | { readonly ok: true; readonly options: ReportOptions; readonly title: string }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** Checks the options of a start against a report type. An option that is missing or null takes its default. */
export function parseReportOptions(
  definition: ReportTypeDefinition,
  raw: ReadonlyMap<string, unknown>,
  locate: Locate,
): ParsedOptions {
  const issues: InputIssue[] = [];
  const read = <T>(name: string, fallback: T, parse: (value: unknown) => T | Refusal): T => {
    const value = raw.get(name);
    if (value === undefined || value === null) return fallback;
    const parsed = parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    issues.push({ ...locate(name), code: "invalid_option", message: `${name} ${parsed.message}` });
    return fallback;
  };

  const formats = Object.keys(definition.formats) as ReportFormat[];
  const defaultFormat = formats.includes("pdf") ? "pdf" : formats[0]!;
  const sortable = sortableKeys(definition);
  const keys = definition.columns.map((column) => column.key);

  const format = read<ReportFormat>("format", defaultFormat, (value) => oneOf(value, formats));
  const options: ReportOptions = {
    format,
    csvBom: read("csvBom", true, readBoolean),
    compression: read("compression", "none", (value) => readCompression(value, format)),
    columns: read<readonly string[]>("columns", keys, (value) => readKeys(value, keys, keys.length)),
    sort: read<readonly string[]>(
      "sort",
      definition.defaultSort.map((sort) => (sort.descending ? `-${sort.key}` : sort.key)),
      (value) => readKeys(value, sortable, maxSortKeys, "-"),
    ),
    groupBy: read<string | null>("groupBy", null, (value) => oneOf(value, definition.groupable)),
    timezone: read("timezone", "UTC", readTimezone),
    locale: read("locale", "en", readLocale),
  };
  const title = read("title", definition.title, readTitle);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, options, title };
}

/** Keys of the columns by which a report of this type can be sorted. */
export function sortableKeys({ columns }: Pick<ReportTypeDefinition, "columns">): readonly string[] {
  return columns.filter(({ kind }) => kind !== "list").map(({ key }) => key);
}

/** A title of a report, as its requester may choose it. Null when it is not one. */
export function parseTitle(value: unknown): string | null {
  const title = readTitle(value);
  return title instanceof Refusal ? null : title;
}

class Refusal {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | Refusal {
  if (typeof value === "string" && (allowed as readonly string[]).includes(value)) return value as T;
  return new Refusal(
    allowed.length === 0 ? "cannot be used with this report type." : `must be one of ${allowed.join(", ")}.`,
  );
}

function readBoolean(value: unknown): boolean | Refusal {
  return typeof value === "boolean" ? value : new Refusal("must be true or false.");
}

function readCompression(value: unknown, format: ReportFormat): ReportOptions["compression"] | Refusal {
  const compression = oneOf(value, compressions);
  if (compression === "none" || compression instanceof Refusal) return compression;
  if (isCompressible(format)) return compression;
  return new Refusal(
    `must be none for ${format}, which is compressed already; gzip and zstd are for ${compressibleFormats.join(", ")}.`,
  );
}

function readKeys(value: unknown, allowed: readonly string[], most: number, prefix = ""): readonly string[] | Refusal {
  if (!Array.isArray(value) || value.length === 0 || !value.every((key) => typeof key === "string")) {
    return new Refusal(`must be a list of one or more of ${allowed.join(", ")}.`);
  }
  const given: string[] = value;
  // Before any of them is looked at: a list may be as long as its request.
  if (given.length > most) return new Refusal(`takes at most ${most} columns, and ${given.length} were given.`);
  const bare = given.map((key) => (prefix !== "" && key.startsWith(prefix) ? key.slice(prefix.length) : key));
  const unknown = bare.find((key) => !allowed.includes(key));
  if (unknown !== undefined)
    return new Refusal(`has no ${JSON.stringify(unknown.slice(0, 60))}. ${suggestName(unknown, allowed)}`);
  if (new Set(bare).size !== bare.length) return new Refusal("names a column twice.");
  return given;
}

function readTimezone(value: unknown): string | Refusal {
  const refusal = new Refusal("must be an IANA time zone, such as Europe/Berlin.");
  // Offsets such as +01:00 are zones to Intl, and mean the opposite to Postgres.
  if (typeof value !== "string" || !/^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/.test(value)) return refusal;
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
    // Zones that were renamed come back under their old names: Asia/Calcutta for Asia/Kolkata.
    return known.toLowerCase() === value.toLowerCase() ? known : value;
  } catch {
    return refusal;
  }
}

function readLocale(value: unknown): string | Refusal {
  const refusal = new Refusal("must be a language tag (BCP 47), such as en or de-CH.");
  if (typeof value !== "string" || value.length > 35) return refusal;
  try {
    return Intl.getCanonicalLocales(value)[0] ?? refusal;
  } catch {
    return refusal;
  }
}

function readTitle(value: unknown): string | Refusal {
  const refusal = new Refusal(`must be text of 1 to ${maxTitleLength} characters without control characters.`);
  if (typeof value !== "string" || !value.isWellFormed()) return refusal;
  const title = value.trim();
  const length = [...title].length;
  return length < 1 || length > maxTitleLength || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(title) ? refusal : title;
}
