import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { columnAlignments, columnKinds, columnTones } from "../report/types/column.ts";
import { reportFormats } from "../report/types/format.ts";

const toneSchema = choiceField(columnTones);

const columnSchema = z
  .strictObject({
    key: z.string().meta({ description: "Name of the column in options, csv and json." }),
    title: z.string().meta({ description: "Name of the column in pdf and xlsx." }),
    kind: choiceField(columnKinds),
    titles: z.record(z.string(), z.string()).meta({
      description:
        "Texts that pdf and xlsx show instead of the codes of the column, by code. Empty if they show all values unchanged.",
    }),
    meanings: z.record(z.string(), z.string()).meta({
      description:
        "Explanations of the titles, by code, each in one sentence. A code whose title needs no explanation has none.",
    }),
    tones: z.record(z.string(), toneSchema).meta({
      description: "Tones of the codes of the column, by code. pdf and xlsx show them as colours, next to words.",
    }),
    tonesByNumber: z
      .array(
        z
          .strictObject({
            atLeast: z.number().nullable().meta({ description: "Lowest number of the tone. Null if it has none." }),
            below: z.number().nullable().meta({ description: "Number that ends the tone. Null if it has none." }),
            tone: toneSchema,
          })
          .meta({
            id: "ReportTypeNumberTone",
            description: "A tone of numbers, from atLeast up to but not including below.",
          }),
      )
      .meta({ description: "Tones of the numbers of the column. The first that a number matches applies." }),
    expires: z.boolean().meta({
      description: "Whether the times of the column are ends, such as those of certificates.",
    }),
    link: z.string().nullable().meta({
      description:
        "Key of the column whose values are the URLs of this column's values. Only https URLs are links. Null for a column without links.",
    }),
    unit: z.string().nullable().meta({
      description: "Unit that pdf and xlsx show after the numbers of the column. Null if they have none.",
    }),
    currency: z.string().nullable().meta({
      description: "Code of ISO 4217 of the amounts in the column. Null if they have none, or if each row has its own.",
    }),
    currencyColumn: z.string().nullable().meta({
      description: "Key of the column that has the currency of each row. Null if there is none.",
    }),
    digits: z.int().nullable().meta({
      description: "Decimal places to which pdf and xlsx round the numbers. Null if the kind or the currency decides.",
    }),
    align: choiceField(columnAlignments).nullable().meta({
      description: "Alignment of the column in pdf and xlsx. Null if the kind decides.",
    }),
    sortable: z.boolean().meta({ description: "Whether rows can be sorted by the column (option sort)." }),
    groupable: z.boolean().meta({ description: "Whether rows can be grouped by the column (option groupBy)." }),
  })
  .meta({ id: "ReportTypeColumn", description: "A column of a report type." });

const formatSchema = z
  .strictObject({
    format: choiceField(reportFormats),
    maxRows: z.int().meta({ description: "Highest number of rows in this format. A report with more rows fails." }),
    compressible: z
      .boolean()
      .meta({ description: "Whether a file of this format can be compressed (option compression)." }),
    showsGroups: z.boolean().meta({
      description:
        "Whether the file shows each group under a heading (option groupBy). If not, groupBy only sorts the rows by its column first.",
    }),
    taggedMaxRows: z.int().nullable().meta({
      description:
        "Number of rows up to which the file is tagged for screen readers by default (option accessible). Null if files of this format are never tagged.",
    }),
  })
  .meta({ id: "ReportTypeFormat", description: "A format that a report type has, and its limit." });

/** A report type as the catalogue shows it. docs/reference/resources/report-types.md#the-catalogue. */
export const reportTypeSchema = z
  .strictObject({
    reportType: z.string().meta({ description: "Name of the type, as a start gives it." }),
    version: z
      .int()
      .min(1)
      .meta({ description: "Version of the definition. It increases if the columns or their meaning change." }),
    title: z.string().meta({ description: "Title of a report whose start gives none." }),
    description: z.string().meta({ description: "Content of the reports, in one line." }),
    authority: z.string().meta({ description: "Authority that a caller needs for reports of the type." }),
    searchParam: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema of the filters, as a start gives them in searchParam." }),
    prominentFilters: z.array(z.string()).meta({
      description: "Names of the filters that people use most, in the order in which forms show them first.",
    }),
    formerNames: z
      .strictObject({
        filters: z.record(z.string(), z.string()).meta({ description: "Names of filters by their former names." }),
        columns: z.record(z.string(), z.string()).meta({ description: "Keys of columns by their former keys." }),
      })
      .meta({
        id: "ReportTypeFormerNames",
        description:
          "Names of filters and columns in earlier versions of the type. They are deprecated: a request can use them, and its record has the current names.",
      }),
    filterValues: z.array(z.string()).meta({
      description: "Names of the filters whose values come from data. GET …/filters/{filter}/values lists them.",
    }),
    columns: z.array(columnSchema).meta({ description: "All columns of the type, in the default order." }),
    subtotals: z
      .array(
        z
          .strictObject({
            key: z.string().meta({ description: "Key of the figure." }),
            title: z.string().meta({ description: "Title of the figure, in English." }),
          })
          .meta({ id: "ReportTypeSubtotal", description: "A figure that is shown for each group." }),
      )
      .meta({ description: "Figures that pdf, xlsx and json also show for each group (option groupBy)." }),
    pdfColumns: z
      .array(z.string())
      .meta({ description: "Keys of the columns that a pdf shows by default, in their order." }),
    defaultSort: z
      .array(z.string())
      .meta({ description: "Default sort: keys of columns, with - in front for descending." }),
    formats: z.array(formatSchema).meta({ description: "Formats in which reports of the type can be made." }),
    preview: z.boolean().meta({ description: "Whether the first rows can be read without a start (a preview)." }),
    links: z
      .strictObject({
        self: z.string().meta({ description: "Path of the type." }),
        start: z.string().meta({ description: "Path that starts a report of the type." }),
      })
      .meta({
        id: "ReportTypeLinks",
        description: "Paths. They begin with the path prefix under which the service is reached.",
      }),
  })
  .meta({ id: "ReportType", description: "A type of report: its filters, options and columns." });

/** A report type as the catalogue shows it. docs/reference/resources/report-types.md#the-catalogue. */
export type ReportType = z.output<typeof reportTypeSchema>;
