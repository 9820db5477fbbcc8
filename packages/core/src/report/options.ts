import { z } from "zod";
import { compressions, reportFormats, type Compression, type ReportFormat } from "./format.ts";

/** How the rows are to be shown: the resolved form, every default filled in, as it is stored with the record. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly csvBom: boolean;
  readonly compression: Compression;
  /** Keys of the columns, in the order in which they are shown. */
  readonly columns: readonly string[];
  readonly sort: readonly string[];
  readonly groupBy: string | null;
  /** IANA name. */
  readonly timezone: string;
  /** BCP 47 tag. */
  readonly locale: string;
}

/** The jsonb form, read back out of the database. */
export const reportOptionsSchema: z.ZodType<ReportOptions> = z.object({
  format: z.enum(reportFormats),
  csvBom: z.boolean(),
  compression: z.enum(compressions),
  columns: z.array(z.string()),
  sort: z.array(z.string()),
  groupBy: z.string().nullable(),
  timezone: z.string(),
  locale: z.string(),
});
