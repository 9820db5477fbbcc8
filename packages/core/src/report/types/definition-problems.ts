import type { ReportColumn } from "./column.ts";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { findConditionProblems } from "./condition-problems.ts";
import {
  findUnknownColumnProblems,
  findCountProblems,
  findIntegerProblems,
  findNameProblems,
  findRepeatedNameProblems,
  findTextProblems,
  quoteValue,
  type DefinitionColumnKinds,
} from "./definition-rules.ts";
import { checkDefinitionShape } from "./definition-shape.ts";
import { findDisplayProblems } from "./display-problems.ts";
import { findFormerNameProblems } from "./former-name-problems.ts";
import { findFilterDefaultProblems, findFilterProblems } from "./filter-problems.ts";
import { findColumnLinkProblems } from "./link-problems.ts";
import { findLogicalColumnKinds } from "./logical-columns.ts";
import { maxSortKeys } from "./options.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import { reportTypeNameForm } from "./report-type-name-form.ts";
import { findRowSourceProblems } from "./row-source-problems.ts";
import { findSubtotalProblems } from "./subtotal-problems.ts";
import { findTranslationProblems } from "./text-problems.ts";
import { findSortableColumnProblems, findSummaryProblems } from "./summary-problems.ts";
import { findNumberToneProblems } from "./tone-problems.ts";
import type { Filter } from "../../query/filters.ts";
import { describeAllowedNames } from "../../query/nearest-name.ts";

/** Largest version, which is stored as a Postgres integer. */
const maxVersion = 2_147_483_647;
const maxTitleLength = 120;
const maxMeaningLength = 300;
const maxTitles = 1_000;
const maxColumns = 200;
const maxWidth = 200;

/** Returns all problems of a definition. If required parts are missing or have the wrong type, returns only these problems. */
export function findDefinitionProblems(definition: ReportTypeDefinition): string[] {
  const { problems, isReadable } = checkDefinitionShape(definition);
  if (problems.length === 0) return problemsOfContent(definition);
  return isReadable ? [...problems, ...problemsOfContent(fillDefinitionDefaults(definition))] : [...problems];
}

function problemsOfContent(definition: ReportTypeDefinition): string[] {
  const { type, version, title, description, columns, filters, prominentFilters, where } = definition;
  const versionProblems = findIntegerProblems("the version", version, 1, maxVersion);
  const newestVersion = versionProblems.length === 0 ? version : maxVersion;
  const { defaultSort, groupable, rows, pdfColumns } = definition;
  const filterNames = filters.map(({ name }) => name);
  const known: DefinitionColumnKinds = {
    own: new Map(columns.map(({ key, kind }) => [key, kind])),
    logical: findLogicalColumnKinds(definition),
  };
  const filterProblems = filters.flatMap((filter) => findFilterProblems(filter, rows, known.logical));
  const sorted = defaultSort.map(({ key }) => key);
  return [
    ...(reportTypeNameForm.normalise(type) !== null
      ? []
      : [`the type ${quoteValue(type)} must be UPPER_SNAKE, of at most 63 characters.`]),
    ...versionProblems,
    ...findTextProblems("the title", title, maxTitleLength),
    ...findTextProblems("the description", description, 500),
    ...findCountProblems("columns", columns, 1, maxColumns),
    ...findRepeatedNameProblems(
      "column",
      columns.map(({ key }) => key),
    ),
    ...columns.flatMap((column) => problemsOfColumnItself(column, newestVersion)),
    ...findFormerNameProblems(
      "column",
      columns.map(({ key, formerly }) => ({ name: key, formerly })),
    ),
    ...columns.flatMap((column) => problemsOfTitles(column, filters)),
    ...columns.flatMap(findNumberToneProblems),
    ...columns.flatMap((column) => findColumnLinkProblems(column, known.own)),
    ...findRowSourceProblems(rows, columns),
    ...findCountProblems("filters", filters, 0, 100),
    ...findRepeatedNameProblems("filter", filterNames),
    ...findFormerNameProblems("filter", filters),
    ...findRepeatedNameProblems("prominentFilters: filter", prominentFilters),
    ...prominentFilters
      .filter((name) => !filterNames.includes(name))
      .map(
        (name) =>
          `prominentFilters: there is no filter ${quoteValue(name)}. ${describeAllowedNames(name, filterNames)}`,
      ),
    ...filterProblems,
    ...(filterProblems.length === 0 ? findFilterDefaultProblems(filters) : []),
    ...findCountProblems("fixed conditions", where, 0, 20),
    ...where.flatMap((condition, at) => findConditionProblems(`where[${at}]`, condition, known.logical)),
    ...findCountProblems("keys in pdfColumns", pdfColumns, 1, maxColumns),
    ...findRepeatedNameProblems("pdfColumns: column", pdfColumns),
    ...pdfColumns.flatMap((key) => findUnknownColumnProblems("pdfColumns", key, known.own)),
    ...findCountProblems("keys in defaultSort", defaultSort, 0, maxSortKeys),
    ...findSortableColumnProblems("defaultSort", sorted, known.own),
    ...findSortableColumnProblems("groupable", groupable, known.own),
    ...problemsOfFormats(definition),
    ...findSummaryProblems(definition.summary, known),
    ...findSubtotalProblems(definition, known),
    ...findDisplayProblems(definition, known),
    ...findTranslationProblems(definition),
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

function problemsOfFormats({ formats }: ReportTypeDefinition): string[] {
  const limits = Object.entries(formats);
  if (limits.length === 0) return ["there are no formats: leave formats out to have all of them."];
  return limits.flatMap(([format, { maxRows }]) =>
    findIntegerProblems(`formats.${format}.maxRows`, maxRows, 1, Number.MAX_SAFE_INTEGER),
  );
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
    ...(listed === null ? [] : problemsOfValues(`${on}: its titles`, values, listed)),
    ...Object.entries(meanings).flatMap(([value, meaning]) =>
      findTextProblems(`${on}: the meaning of ${quoteValue(value)}`, meaning, maxMeaningLength),
    ),
    ...problemsOfValues(`${on}: its meanings`, Object.keys(meanings), values),
    ...problemsOfValues(`${on}: its tones`, Object.keys(tones), values),
  ];
}

function enumValuesOf(key: string, filters: readonly Filter[]): readonly string[] | null {
  const listing = filters.find(({ value, columns }) => value === "enum" && columns.length === 1 && columns[0] === key);
  return listing?.values ?? null;
}

function problemsOfValues(on: string, values: readonly string[], among: readonly string[]): string[] {
  return values
    .filter((value) => !among.includes(value))
    .map((value) => `${on}: there is no value ${quoteValue(value)}. ${describeAllowedNames(value, among)}`);
}
