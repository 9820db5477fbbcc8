import { formatTextList } from "../../base/text-list.ts";
import type { ColumnKind } from "./column.ts";
import { defaultFormatLimits, formatProperties, reportFormats } from "./format.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { ColumnInput, ReportTypeInput, SortInput } from "./report-type-input.ts";
import { toParameterFilters } from "./view-parameter.ts";
import type { SortKey } from "../../query/sort-key.ts";
import type { Filter } from "../../query/filters.ts";
import { inheritColumnDisplay } from "./number-display.ts";
import type { FigureDefinition } from "./summary.ts";

const defaultWidths = {
  text: 20,
  integer: 10,
  bigint: 14,
  decimal: 14,
  ratio: 10,
  bytes: 10,
  duration: 14,
  boolean: 8,
  timestamp: 17,
  date: 11,
  time: 9,
  list: 24,
} as const satisfies Readonly<Record<ColumnKind, number>>;

const rowCountFigure: FigureDefinition = { key: "rows", title: "Rows", kind: "integer", aggregate: { kind: "count" } };

const maxTitlesInDescription = 5;

export function fillDefinitionDefaults(given: ReportTypeInput): ReportTypeDefinition {
  const { attention } = given.summary ?? {};
  return {
    type: given.type,
    version: given.version,
    title: given.title,
    description: given.description ?? describeColumns(given.columns),
    filters: completeFilters(given),
    prominentFilters: given.prominentFilters ?? [],
    where: given.where ?? [],
    columns: given.columns.map((column) => ({ ...column, width: column.width ?? defaultWidths[column.kind] })),
    pdfColumns: given.pdfColumns ?? given.columns.map(({ key }) => key),
    defaultSort: given.defaultSort?.map(completeSortKey) ?? firstColumn(given),
    groupable: given.groupable ?? [],
    formats: completeFormats(given),
    summary: {
      figures: (given.summary?.figures ?? [rowCountFigure]).map((figure) => inheritColumnDisplay(figure, given)),
      charts: given.summary?.charts ?? [],
      ...(attention === undefined ? {} : { attention: { ...attention, sort: attention.sort.map(completeSortKey) } }),
      ...(given.summary?.subtotals === undefined ? {} : { subtotals: given.summary.subtotals }),
    },
    rows: given.rows,
    ...(given.texts === undefined ? {} : { texts: given.texts }),
  };
}

function completeFilters({ filters = [], rows }: ReportTypeInput): ReportTypeDefinition["filters"] {
  const parameters = toParameterFilters(rows);
  const isAdded = ({ operator, name }: Filter): boolean =>
    operator === "parameter" && parameters.some((parameter) => parameter.name === name);
  return [...parameters, ...filters.filter((filter) => !isAdded(filter))];
}

function completeSortKey({ key, descending = false }: SortInput): SortKey {
  return { key, descending };
}

function firstColumn({ columns }: ReportTypeInput): ReportTypeDefinition["defaultSort"] {
  const first = columns.find(({ kind }) => kind !== "list");
  return first === undefined ? [] : [{ key: first.key, descending: false }];
}

function completeFormats({ formats }: ReportTypeInput): ReportTypeDefinition["formats"] {
  if (formats === undefined) return defaultFormatLimits;
  const own = reportFormats.filter((format) => formats[format] !== undefined);
  return Object.fromEntries(
    own.map((format) => [format, { maxRows: formatProperties[format].maxRows, ...formats[format] }]),
  );
}

function describeColumns(columns: readonly ColumnInput[]): string {
  const titles = columns.slice(0, maxTitlesInDescription).map(({ title }) => title);
  const more = columns.length - titles.length;
  return `Shows ${formatTextList(more > 0 ? [...titles, `${more} more`] : titles)}.`;
}
