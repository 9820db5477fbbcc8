import { z } from "zod";
import { choiceField } from "./named-choices.ts";
import { reportFormats } from "../report/types/format.ts";

const listValue = z.array(z.string().nullable()).meta({
  id: "ReportRowList",
  description: "The value of a list.",
});

/** A row of a report as the json format has it, by keys of columns. docs/reference/file-formats.md#formats. */
export const reportRowSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), listValue]).nullable())
  .meta({ id: "ReportRow", description: "A row of a report by keys of columns, as the json format has it." });

/** A row of a report as the json format has it, by keys of columns. docs/reference/file-formats.md#formats. */
export type ReportRow = z.output<typeof reportRowSchema>;

export const rowsAre = ["PLANNED", "EXACT", "PREVIOUS"] as const;

/** The estimate of a report in one format. docs/reference/resources/previews.md#estimates. */
export const reportEstimateSchema = z
  .strictObject({
    format: choiceField(reportFormats),
    rows: z.int().min(0).nullable().meta({ description: "Approximate number; null if it cannot be estimated." }),
    rowsAre: z.enum(rowsAre).nullable().meta({
      id: "RowsAre",
      description:
        "EXACT: the rows were counted. PLANNED: the database's planner expects them. PREVIOUS: the latest report of the type with the same filters had them. Null without rows.",
    }),
    sizeBytes: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Estimated from the latest reports of about this size; null if there are fewer than ten." }),
    seconds: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: "From the claim to the end, by the same reports; null with fewer than ten." }),
    maxRows: z.int().meta({ description: "A report of more rows fails." }),
    fits: z.boolean().nullable().meta({ description: "Whether rows are at most maxRows; null without rows." }),
  })
  .meta({ id: "ReportEstimate", description: "Estimate of a report in one format." });

/** The estimate of a report in one format. docs/reference/resources/previews.md#estimates. */
export type ReportEstimate = z.output<typeof reportEstimateSchema>;
