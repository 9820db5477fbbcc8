import { createHash } from "node:crypto";
import type { Filter } from "@reports/core/query";
import {
  type ReportColumn,
  type ReportTypeDefinition,
  formatProperties,
  formerNamesOf,
  type ReportFormat,
} from "@reports/core/report";
import type { ReportType } from "@reports/core/wire";
import { inlineReferences, toJsonSchema, type OpenApiComponents } from "../openapi/json-schema.ts";
import { searchParamSchema } from "../resource/filter-schema.ts";

export function toReportTypeResource(
  definition: ReportTypeDefinition,
  { authority, preview, basePath }: Pick<ReportType, "authority" | "preview"> & { readonly basePath: string },
): ReportType {
  return {
    reportType: definition.type,
    version: definition.version,
    title: definition.title,
    description: definition.description,
    authority,
    searchParam: filtersJsonSchema(definition.filters),
    prominentFilters: [...definition.prominentFilters],
    formerNames: formerNamesOf(definition),
    filterValues: definition.filters.filter(({ valuesFrom }) => valuesFrom !== undefined).map(({ name }) => name),
    columns: definition.columns.map((column) => columnResource(column, definition)),
    subtotals: (definition.summary.subtotals ?? []).flatMap((name) =>
      definition.summary.figures.filter(({ key }) => key === name).map(({ key, title }) => ({ key, title })),
    ),
    pdfColumns: [...definition.pdfColumns],
    defaultSort: definition.defaultSort.map(({ key, descending }) => (descending ? `-${key}` : key)),
    formats: Object.entries(definition.formats).map(([name, { maxRows }]) => {
      const format = name as ReportFormat;
      const { compressible, showsGroups, taggedMaxRows } = formatProperties[format];
      return { format, maxRows, compressible, showsGroups, taggedMaxRows };
    }),
    preview,
    links: {
      self: `${basePath}/v1/report-types/${encodeURIComponent(definition.type)}`,
      start: `${basePath}/v1/report?reportType=${encodeURIComponent(definition.type)}`,
    },
  };
}

function columnResource(column: ReportColumn, { groupable }: ReportTypeDefinition): ReportType["columns"][number] {
  const { key, title, kind, titles = {}, meanings = {}, tones = {}, tonesByNumber = [], expires = false } = column;
  const { link, unit = null, currency, digits = null, align = null } = column;
  return {
    key,
    title,
    kind,
    titles,
    meanings,
    tones,
    tonesByNumber: tonesByNumber.map(({ atLeast = null, below = null, tone }) => ({ atLeast, below, tone })),
    expires,
    link: link?.column ?? null,
    unit,
    currency: typeof currency === "string" ? currency : null,
    currencyColumn: typeof currency === "object" ? currency.column : null,
    digits,
    align,
    sortable: kind !== "list",
    groupable: groupable.includes(key),
  };
}

function filtersJsonSchema(filters: readonly Filter[]): Record<string, unknown> {
  const components: OpenApiComponents = {};
  const schema = toJsonSchema(searchParamSchema(filters), "input", components);
  return inlineReferences(schema, components) as Record<string, unknown>;
}

/** Returns the entity tag of a JSON value without a revision: a hash of its text. */
export function computeJsonEtag(value: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 27)}"`;
}
