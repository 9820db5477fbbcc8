import { reportFileOptions, reportOptions, reportOptionTexts } from "@reports/client";
import { createOptionsByField, type OptionsByField } from "./options-by-field.ts";

const flagTexts = {
  columns: "columns to show, in their order",
  sort: "columns to sort by; - in front for descending",
  groupBy: "key of the column by whose values the rows are grouped",
  csvBom: "csv without a byte order mark at its beginning",
  keepRows: "keep a row snapshot for additional files (reports add-file)",
  accessible: "whether a pdf is tagged (PDF/UA); by default unless it is long",
  title: "title in the file and in its name",
};

/** One flag per option of a report (docs/reference/resources/reports.md#options), in the order of the help. */
export const startFlags = createOptionsByField(reportOptions, reportOptionTexts, { texts: flagTexts });

const fileFormatFlag = createOptionsByField(
  { format: { ...reportOptions.format, isRequired: true } },
  reportOptionTexts,
);

/** One flag per option of a rendition. docs/reference/resources/report-files.md#additional-formats. */
export const renditionFlags = {
  ...Object.fromEntries(reportFileOptions.map((name) => [name, startFlags[name]])),
  ...fileFormatFlag,
} as OptionsByField<(typeof reportFileOptions)[number]>;

export interface StartFlagValues extends Partial<
  Readonly<Record<keyof typeof startFlags, string | readonly string[] | boolean>>
> {
  readonly where?: readonly string[];
}
