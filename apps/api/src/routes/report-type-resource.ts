import { createHash } from "node:crypto";
import type { Filter, ReportTypeDefinition } from "@reports/core";
import { choiceField, columnKinds, formatFacts, reportFormats } from "@reports/core";
import type { ReportFormat } from "@reports/core";
import { z } from "zod";
import { inline, jsonSchemaOf, type Components } from "../openapi/json-schema.ts";
import { searchParamSchema } from "../resource/filter-schema.ts";

const columnSchema = z
  .strictObject({
    key: z.string().meta({ description: "Names the column in options and in csv and json." }),
    title: z.string().meta({ description: "Names the column in pdf and xlsx." }),
    kind: choiceField(columnKinds),
    sortable: z.boolean(),
    groupable: z.boolean(),
  })
  .meta({ id: "ReportTypeColumn", description: "A column of a report type." });

const formatSchema = z
  .strictObject({
    format: choiceField(reportFormats),
    maxRows: z.int().meta({ description: "A report of more rows fails." }),
    compressible: z.boolean(),
    showsGroups: z.boolean().meta({
      description: "Whether groupBy gives each group a heading; if not, the rows are only sorted by its column first.",
    }),
  })
  .meta({ id: "ReportTypeFormat", description: "A format that a report type has, and its limit." });

/** A report type as the catalogue shows it. */
export const reportTypeResourceSchema = z
  .strictObject({
    reportType: z.string().meta({ description: "Names the type in starts." }),
    version: z.int().min(1).meta({ description: "Grows when its columns or their meaning change." }),
    title: z.string(),
    description: z.string(),
    authority: z.string().meta({ description: "What a caller must hold." }),
    searchParam: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema of searchParam in its JSON spelling." }),
    columns: z.array(columnSchema),
    defaultSort: z.array(z.string()).meta({ description: "Keys of columns, - in front for descending." }),
    formats: z.array(formatSchema),
    links: z
      .strictObject({ self: z.string(), start: z.string() })
      .meta({ id: "ReportTypeLinks", description: "Paths, with the base path in front." }),
  })
  .meta({ id: "ReportType", description: "A type of report: what it takes and what it shows." });

/** Shows a report type, out of the same definition that validates its parameters. */
export function reportTypeResource(
  definition: ReportTypeDefinition,
  authority: string,
  basePath: string,
): z.input<typeof reportTypeResourceSchema> {
  return {
    reportType: definition.type,
    version: definition.version,
    title: definition.title,
    description: definition.description,
    authority,
    searchParam: filtersJsonSchema(definition.filters),
    columns: definition.columns.map(({ key, title, kind }) => ({
      key,
      title,
      kind,
      sortable: kind !== "list",
      groupable: definition.groupable.includes(key),
    })),
    defaultSort: definition.defaultSort.map(({ key, descending }) => (descending ? `-${key}` : key)),
    formats: Object.entries(definition.formats).map(([name, { maxRows }]) => {
      const format = name as ReportFormat;
      const { compressible, showsGroups } = formatFacts[format];
      return { format, maxRows, compressible, showsGroups };
    }),
    links: {
      self: `${basePath}/v1/report-types/${encodeURIComponent(definition.type)}`,
      start: `${basePath}/v1/report?reportType=${encodeURIComponent(definition.type)}`,
    },
  };
}

/** JSON Schema (2020-12) of a set of filters, with nothing in it that is referred to from elsewhere. */
function filtersJsonSchema(filters: readonly Filter[]): Record<string, unknown> {
  const components: Components = {};
  return inline(jsonSchemaOf(searchParamSchema(filters), "input", components), components) as Record<string, unknown>;
}

/** Strong entity tag of a JSON value that has no revision. */
export function jsonEtag(value: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 27)}"`;
}
