import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { reportFormats } from "../report/types/format.ts";

const listValueSchema = z.array(z.string().nullable()).meta({
  id: "ReportRowList",
  description: "The value of a list column: its items as texts.",
});

/** A row of a report as the json format has it, by keys of columns. docs/reference/file-formats.md#formats. */
export const reportRowSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), listValueSchema]).nullable())
  .meta({ id: "ReportRow", description: "A row of a report by keys of columns, as the json format has it." });

/** A row of a report as the json format has it, by keys of columns. docs/reference/file-formats.md#formats. */
export type ReportRow = z.output<typeof reportRowSchema>;

export const rowCountOrigins = ["PLANNED", "EXACT", "PREVIOUS"] as const;

/** The estimate of a report in one format. docs/reference/resources/previews.md#estimates. */
export const reportEstimateSchema = z
  .strictObject({
    format: choiceField(reportFormats),
    rows: z.int().min(0).nullable().meta({ description: "Estimated number of rows; null if it is unknown." }),
    rowsAre: z.enum(rowCountOrigins).nullable().meta({
      id: "RowsAre",
      description:
        "Origin of the number of rows. EXACT: the rows were counted. PLANNED: the planner of the database expects them. PREVIOUS: the latest report of the type with the same filters had them. Null if rows is null.",
    }),
    sizeBytes: z.int().min(0).nullable().meta({
      description:
        "Estimated size of the file in bytes, from earlier reports of the same type and format and of similar size. Null if rows is null, or if there are fewer than ten such reports.",
    }),
    seconds: z.number().min(0).nullable().meta({
      description:
        "Estimated seconds from the claim by a worker to the end of the report, without the wait in the queue. The estimate comes from the same earlier reports as sizeBytes, and is null with it.",
    }),
    maxRows: z.int().meta({ description: "Highest number of rows in this format. A report with more rows fails." }),
    fits: z.boolean().nullable().meta({ description: "Whether rows is at most maxRows; null if rows is null." }),
  })
  .meta({ id: "ReportEstimate", description: "Estimate of a report in one format." });

/** The estimate of a report in one format. docs/reference/resources/previews.md#estimates. */
export type ReportEstimate = z.output<typeof reportEstimateSchema>;

/** A value that a filter accepts now, and its title. docs/reference/resources/report-types.md#values-of-filters. */
export const filterChoiceSchema = z
  .strictObject({
    value: z.string().meta({ description: "The value, as a start gives it in searchParam." }),
    title: z.string().meta({ description: "The value in words." }),
  })
  .meta({ id: "FilterChoice", description: "A value of a filter, from the data of its type." });
