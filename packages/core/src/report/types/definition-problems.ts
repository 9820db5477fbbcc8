import { findColumnProblems, maxColumns } from "./column-problems.ts";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { findConditionProblems } from "./condition-problems.ts";
import {
  findUnknownColumnProblems,
  findCountProblems,
  findIntegerProblems,
  findRepeatedNameProblems,
  findTextProblems,
  findUnknownNameProblems,
  keysIn,
  quoteValue,
  type DefinitionColumnKinds,
} from "./definition-rules.ts";
import { checkDefinitionShape } from "./definition-shape.ts";
import { findDisplayProblems } from "./display-problems.ts";
import { findFormerNameProblems } from "./former-name-problems.ts";
import { findFilterDefaultProblems, findFilterProblems } from "./filter-problems.ts";
import { findLogicalColumnKinds } from "./logical-columns.ts";
import { maxSortKeys } from "./options.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import { reportTypeNameForm } from "./report-type-name-form.ts";
import { findRowSourceProblems } from "./row-source-problems.ts";
import { findTranslationProblems } from "./text-problems.ts";
import { findSortableColumnProblems, findSummaryProblems } from "./summary-problems.ts";

/** Largest version, which is stored as a Postgres integer. */
const maxVersion = 2_147_483_647;
const maxTitleLength = 120;

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
  return [
    ...(reportTypeNameForm.normalise(type) !== null
      ? []
      : [`the type ${quoteValue(type)} must be UPPER_SNAKE, of at most 63 characters.`]),
    ...versionProblems,
    ...findTextProblems("the title", title, maxTitleLength),
    ...findTextProblems("the description", description, 500),
    ...findColumnProblems(definition, known.own, newestVersion),
    ...findRowSourceProblems(rows, columns),
    ...findCountProblems("filters", filters, 0, 100),
    ...findRepeatedNameProblems("filter", filterNames),
    ...findFormerNameProblems("filter", filters),
    ...findRepeatedNameProblems("prominentFilters: filter", prominentFilters),
    ...findUnknownNameProblems("prominentFilters", "filter", prominentFilters, filterNames),
    ...filterProblems,
    ...(filterProblems.length === 0 ? findFilterDefaultProblems(filters) : []),
    ...findCountProblems("fixed conditions", where, 0, 20),
    ...where.flatMap((condition, at) => findConditionProblems(`where[${at}]`, condition, known.logical)),
    ...findCountProblems("keys in pdfColumns", pdfColumns, 1, maxColumns),
    ...findRepeatedNameProblems("pdfColumns: column", pdfColumns),
    ...pdfColumns.flatMap((key) => findUnknownColumnProblems("pdfColumns", key, known.own)),
    ...findCountProblems("keys in defaultSort", defaultSort, 0, maxSortKeys),
    ...findSortableColumnProblems("defaultSort", keysIn(defaultSort), known.own),
    ...findSortableColumnProblems("groupable", groupable, known.own),
    ...problemsOfFormats(definition),
    ...findSummaryProblems(definition, known),
    ...findDisplayProblems(definition, known),
    ...findTranslationProblems(definition),
  ];
}

function problemsOfFormats({ formats }: ReportTypeDefinition): string[] {
  const limits = Object.entries(formats);
  if (limits.length === 0) return ["there are no formats: leave formats out to have all of them."];
  return limits.flatMap(([format, { maxRows }]) =>
    findIntegerProblems(`formats.${format}.maxRows`, maxRows, 1, Number.MAX_SAFE_INTEGER),
  );
}
