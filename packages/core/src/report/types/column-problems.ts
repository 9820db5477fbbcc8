import type { Filter } from "../../query/filters.ts";
import type { ColumnKind, NumberTone, ReportColumn } from "./column.ts";
import {
  findCountProblems,
  findIntegerProblems,
  findNameProblems,
  findRepeatedNameProblems,
  findTextProblems,
  findUnknownColumnProblems,
  findUnknownNameProblems,
  keysIn,
  quoteValue,
} from "./definition-rules.ts";
import { findFormerNameProblems } from "./former-name-problems.ts";
import { isNumericKind } from "./logical-columns.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

export const maxColumns = 200;
const maxTitleLength = 120;
const maxMeaningLength = 300;
const maxTitles = 1_000;
const maxWidth = 200;
const maxTones = 10;

/** Returns the problems of the columns. `version` is the largest allowed `sinceVersion`. */
export function findColumnProblems(
  { columns, filters }: Pick<ReportTypeDefinition, "columns" | "filters">,
  kinds: ReadonlyMap<string, ColumnKind>,
  version: number,
): string[] {
  const names = columns.map(({ key, formerly }) => ({ name: key, formerly }));
  return [
    ...findCountProblems("columns", columns, 1, maxColumns),
    ...findRepeatedNameProblems("column", keysIn(columns)),
    ...columns.flatMap((column) => problemsOfColumnItself(column, version)),
    ...findFormerNameProblems("column", names),
    ...columns.flatMap((column) => problemsOfTitles(column, filters)),
    ...columns.flatMap(problemsOfNumberTones),
    ...columns.flatMap((column) => problemsOfLink(column, kinds)),
  ];
}

function problemsOfColumnItself(column: ReportColumn, version: number): string[] {
  const { key, title, kind, width, plainDigits, daysUntil, tones, keepsEnd, sinceVersion = 1, expires } = column;
  const on = `column ${quoteValue(key)}`;
  const problems = [
    ...findNameProblems("column", key),
    ...findTextProblems(`${on}: its title`, title, maxTitleLength),
    ...findIntegerProblems(`${on}: its width`, width, 1, maxWidth),
    ...findIntegerProblems(`${on}: sinceVersion`, sinceVersion, 1, version),
  ];
  if (plainDigits !== undefined && kind !== "integer" && kind !== "bigint")
    problems.push(`${on}: plainDigits is for columns of kind integer or bigint, and it is ${kind}.`);
  if (daysUntil !== undefined && kind !== "integer")
    problems.push(`${on}: daysUntil is for columns of kind integer, and it is ${kind}.`);
  if (keepsEnd !== undefined && kind !== "text")
    problems.push(`${on}: keepsEnd is for columns of kind text, and it is ${kind}.`);
  if (expires !== undefined && kind !== "timestamp" && kind !== "date")
    problems.push(`${on}: expires is for columns of kind timestamp or date, and it is ${kind}.`);
  if (tones !== undefined && kind !== "text")
    problems.push(`${on}: tones are for columns of kind text, and it is ${kind}.`);
  return problems;
}

/** Returns problems of a column's titles, meanings and tones. A titled value must be a value of the column's enum filter, and a value with a meaning or a tone must have a title. Other values are probably misspelt. */
function problemsOfTitles(column: ReportColumn, filters: readonly Filter[]): string[] {
  const { key, kind, titles, meanings = {}, tones = {} } = column;
  const on = `column ${quoteValue(key)}`;
  if (titles === undefined)
    return column.meanings === undefined ? [] : [`${on}: meanings explain titles, and the column has no titles.`];
  if (kind !== "text" && kind !== "list")
    return [`${on}: titles are for columns of kind text or list, and it is ${kind}.`];
  const values = Object.keys(titles);
  if (values.length === 0 || values.length > maxTitles)
    return [`${on}: there must be 1 to ${maxTitles} titles, and there are ${values.length}.`];
  const listed = enumValuesOf(key, filters);
  return [
    ...Object.entries(titles).flatMap(([value, title]) =>
      findTextProblems(`${on}: the title of ${quoteValue(value)}`, title, maxTitleLength),
    ),
    ...findRepeatedNameProblems(`${on}: the title`, Object.values(titles)),
    ...(listed === null ? [] : findUnknownNameProblems(`${on}: its titles`, "value", values, listed)),
    ...Object.entries(meanings).flatMap(([value, meaning]) =>
      findTextProblems(`${on}: the meaning of ${quoteValue(value)}`, meaning, maxMeaningLength),
    ),
    ...findUnknownNameProblems(`${on}: its meanings`, "value", Object.keys(meanings), values),
    ...findUnknownNameProblems(`${on}: its tones`, "value", Object.keys(tones), values),
  ];
}

function enumValuesOf(key: string, filters: readonly Filter[]): readonly string[] | null {
  const listing = filters.find(({ value, columns }) => value === "enum" && columns.length === 1 && columns[0] === key);
  return listing?.values ?? null;
}

/** Returns the problems of tones by number. The first match applies, so each tone must match numbers that no earlier tone matches. */
function problemsOfNumberTones({ key, kind, tonesByNumber }: ReportColumn): readonly string[] {
  if (tonesByNumber === undefined) return [];
  const on = `column ${quoteValue(key)}: tonesByNumber`;
  if (!isNumericKind(kind)) return [`${on} is for columns of numbers, and the column is of kind ${kind}.`];
  const problems = findCountProblems("tones", tonesByNumber, 1, maxTones).map((problem) => `${on}: ${problem}`);
  for (const [at, tone] of tonesByNumber.entries()) {
    const { atLeast, below } = tone;
    const each = `${on}[${at}]`;
    if (atLeast === undefined && below === undefined) problems.push(`${each} has one of atLeast and below, or both.`);
    else if ([atLeast, below].some((bound) => bound !== undefined && !Number.isFinite(bound)))
      problems.push(`${each}: atLeast and below are finite numbers.`);
    else if (atLeast !== undefined && below !== undefined && atLeast >= below)
      problems.push(`${each}: atLeast (${atLeast}) must be smaller than below (${below}), which is exclusive.`);
    else if (isCovered(rangeOf(tone), tonesByNumber.slice(0, at).map(rangeOf)))
      problems.push(`${each} matches no number, because earlier tones match all its numbers. The first match applies.`);
  }
  return problems;
}

type Range = readonly [from: number, to: number];

function rangeOf({ atLeast = -Infinity, below = Infinity }: NumberTone): Range {
  return [atLeast, below];
}

function isCovered([from, to]: Range, others: readonly Range[]): boolean {
  let reached = from;
  for (const [start, end] of others.toSorted((a, b) => a[0] - b[0]))
    if (start <= reached) reached = Math.max(reached, end);
  return reached >= to;
}

function problemsOfLink(
  { key, kind, link }: ReportColumn,
  columns: ReadonlyMap<string, ColumnKind>,
): readonly string[] {
  if (link === undefined) return [];
  const on = `column ${quoteValue(key)}: link`;
  if (kind !== "text") return [`${on} is for columns of kind text, and it is ${kind}.`];
  const kindOfUrls = columns.get(link.column);
  if (kindOfUrls === undefined) return findUnknownColumnProblems(on, link.column, columns);
  return kindOfUrls === "text"
    ? []
    : [`${on} needs a column of kind text, which has the URLs, and ${quoteValue(link.column)} is ${kindOfUrls}.`];
}
