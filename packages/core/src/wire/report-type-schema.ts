import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { columnKinds } from "../report/types/column.ts";
import { reportFormats } from "../report/types/format.ts";

const columnSchema = z
  .strictObject({
    key: z.string().meta({ description: "Names the column in options and in csv and json." }),
    title: z.string().meta({ description: "Names the column in pdf and xlsx." }),
    kind: choiceField(columnKinds),
    titles: z.record(z.string(), z.string()).meta({
      description: "Texts that pdf and xlsx show instead of codes; empty if all values are shown unchanged.",
    }),
    sortable: z.boolean().meta({ description: "Whether sort takes it." }),
    groupable: z.boolean().meta({ description: "Whether groupBy takes it." }),
  })
  .meta({ id: "ReportTypeColumn", description: "A column of a report type." });

const formatSchema = z
  .strictObject({
    format: choiceField(reportFormats),
    maxRows: z.int().meta({ description: "A report of more rows fails." }),
    compressible: z.boolean().meta({ description: "Whether compression takes anything but none." }),
    showsGroups: z.boolean().meta({
      description: "Whether groupBy gives each group a heading; if not, the rows are only sorted by its column first.",
    }),
    taggedMaxRows: z.int().nullable().meta({
      description:
        "Rows up to which the file is tagged (accessible) where the start does not say; null where there is no such thing.",
    }),
  })
  .meta({ id: "ReportTypeFormat", description: "A format that a report type has, and its limit." });

/** A report type as the catalogue shows it. */
export const reportTypeSchema = z
  .strictObject({
    reportType: z.string().meta({ description: "Names the type in starts." }),
    version: z.int().min(1).meta({ description: "Grows when its columns or their meaning change." }),
    title: z.string().meta({ description: "The title of its reports where a start names none." }),
    description: z.string().meta({ description: "Content of its reports, in one line." }),
    authority: z.string().meta({ description: "Authority that a caller must hold." }),
    searchParam: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema of searchParam in its JSON spelling." }),
    columns: z.array(columnSchema).meta({ description: "Every column that it has, in their default order." }),
    pdfColumns: z
      .array(z.string())
      .meta({ description: "Keys of the columns that a pdf shows by default, in their order." }),
    defaultSort: z.array(z.string()).meta({ description: "Keys of columns, - in front for descending." }),
    formats: z.array(formatSchema).meta({ description: "The formats that it can be started in." }),
    preview: z.boolean().meta({ description: "Whether its first rows can be read without a report." }),
    links: z
      .strictObject({
        self: z.string().meta({ description: "The type." }),
        start: z.string().meta({ description: "Starts a report of it." }),
      })
      .meta({ id: "ReportTypeLinks", description: "Paths, with the base path in front." }),
  })
  .meta({ id: "ReportType", description: "A type of report: its filters, options and columns." });

/** A report type as the catalogue shows it. docs/reference/resources/report-types.md#the-catalogue. */
export type ReportType = z.output<typeof reportTypeSchema>;
