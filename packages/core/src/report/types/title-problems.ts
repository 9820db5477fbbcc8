import type { Filter } from "../../query/filters.ts";
import type { ReportColumn } from "./column.ts";
import { problemsOfRepeats, problemsOfText, quote } from "./definition-rules.ts";
import { suggestName } from "../../query/nearest-name.ts";

const maxTitles = 1_000;
const maxTitleLength = 120;

/**
 * Checks the titles of a column's values. A value that no row can have is probably misspelt: titles must be values of the column's filter,
 * and tones must name values with titles.
 */
export function problemsOfTitles(column: ReportColumn, filters: readonly Filter[]): string[] {
  const { key, kind, titles, tones = {} } = column;
  if (titles === undefined) return [];
  const on = `column ${quote(key)}`;
  if (kind !== "text" && kind !== "list")
    return [`${on}: titles are for columns of kind text or list, and it is ${kind}.`];
  const values = Object.keys(titles);
  if (values.length === 0 || values.length > maxTitles)
    return [`${on}: there must be 1 to ${maxTitles} titles, and there are ${values.length}.`];
  const listed = valuesOf(key, filters);
  return [
    ...Object.entries(titles).flatMap(([value, title]) =>
      problemsOfText(`${on}: the title of ${quote(value)}`, title, maxTitleLength),
    ),
    ...problemsOfRepeats(`${on}: the title`, Object.values(titles)),
    ...(listed === null ? [] : problemsOfValues(`${on}: its titles`, values, listed)),
    ...problemsOfValues(`${on}: its tones`, Object.keys(tones), values),
  ];
}

/** The column's values, if a filter lists them. */
function valuesOf(key: string, filters: readonly Filter[]): readonly string[] | null {
  const listing = filters.find(({ value, columns }) => value === "enum" && columns.length === 1 && columns[0] === key);
  return listing?.values ?? null;
}

function problemsOfValues(on: string, values: readonly string[], among: readonly string[]): string[] {
  return values
    .filter((value) => !among.includes(value))
    .map((value) => `${on}: there is no value ${quote(value)}. ${suggestName(value, among)}`);
}
