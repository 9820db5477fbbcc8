import { createTimestampConverter } from "@reports/core/base";
import { type ReportColumn, type ReportOptions } from "@reports/core/report";
import type { WireRow } from "../../wire/read-rows.ts";
import { createDatePartsWriter, joinDateParts } from "../date-parts.ts";
import { toGroupedSortKeys } from "../group-rows.ts";
import { memoize } from "../memoize.ts";
import { createTitleLookup } from "../value-titles.ts";

const maxBookmarks = 400;

/** Returns the title of the bookmark that begins at a row; null for a row that belongs to the bookmark before it. */
export type FindBookmarkTitle = (row: WireRow) => string | null;

export function createBookmarkTitleFinder(
  columns: readonly ReportColumn[],
  options: Pick<ReportOptions, "sort" | "groupBy" | "locale" | "language" | "timezone">,
): FindBookmarkTitle | null {
  const [first] = toGroupedSortKeys({ sort: options.sort, groupBy: null });
  const field = columns.findIndex(({ key }) => key === first?.key);
  const column = columns[field];
  const labelOf = column && createLabel(column, options);
  if (labelOf === undefined) return null;
  const known = new Set<string>();
  return (row) => {
    const value = row[field] ?? null;
    const label = value === null ? null : labelOf(value);
    // Only the first row with a label gets a bookmark. The same label can follow later, because a collation can ignore signs and mix letters.
    if (label === null || known.has(label) || known.size >= maxBookmarks) return null;
    known.add(label);
    return label;
  };
}

function createLabel(
  { kind, titles }: ReportColumn,
  { locale, language, timezone }: Pick<ReportOptions, "locale" | "language" | "timezone">,
): ((value: string) => string | null) | undefined {
  if (kind === "text") return titles === undefined ? firstLetter : createTitleLookup(titles);
  if (kind !== "timestamp" && kind !== "date") return undefined;
  const write = createDatePartsWriter(locale, { year: "numeric", month: "long" }, language);
  const month = memoize((text) => joinDateParts(write(Date.parse(`${text}-01`))));
  const localOf =
    kind === "timestamp" && timezone !== "UTC" ? createTimestampConverter(timezone) : (value: string) => value;
  return (value) => {
    const local = localOf(value);
    return /^\d{4}-\d\d-\d\d(?:$| .*[^C]$)/.test(local) ? month(local.slice(0, 7)) : null;
  };
}

/**
 * Returns the first letter or digit of a text, in upper case and without accents: `*.äpfel` → `A`. Returns null if the first 100 characters have
 * none.
 */
function firstLetter(value: string): string | null {
  const letter = /[\p{L}\p{N}]/u.exec(value.slice(0, 100))?.[0];
  return letter === undefined ? null : letter.normalize("NFD").charAt(0).toUpperCase();
}
