import { compressions, orientations, papers, reportFormats, type ReportStart } from "@reports/client";
import { InvalidArgumentError, Option } from "commander";

/** Every option of a report (docs/contract.md §2.4) as a flag of the command line, in the order of the help. */
export const startFlags = {
  format: new Option("--format <format>", `${anyOf(reportFormats)}; pdf where the type has it`),
  columns: new Option("--columns <keys>", "columns to show, in their order, separated by commas").argParser(list),
  sort: new Option("--sort <keys>", "columns to sort by, separated by commas; - in front for descending").argParser(
    list,
  ),
  groupBy: new Option("--group-by <key>", "column by whose values the rows are grouped"),
  title: new Option("--title <text>", "title in the file and in its name"),
  timezone: new Option("--timezone <zone>", "IANA time zone of the times in the file; UTC by default"),
  locale: new Option("--locale <tag>", "language tag (BCP 47); en by default"),
  compression: new Option("--compression <kind>", `${anyOf(compressions)}; of a format that is text`),
  paper: new Option("--paper <paper>", `${anyOf(papers)}; of a pdf`),
  orientation: new Option("--orientation <way>", `${anyOf(orientations)}; of a pdf`),
  accessible: new Option("--accessible <yes|no>", "whether a pdf is tagged (PDF/UA); by default unless it is long")
    .choices(["yes", "no"])
    .argParser(yesOrNo),
  keepRows: new Option("--keep-rows", "keep the rows, so that further files can be made of them (reports add-file)"),
  csvBom: new Option("--no-csv-bom", "csv without a byte order mark at its beginning"),
} as const satisfies Readonly<Record<Exclude<keyof ReportStart, "reportType" | "searchParam">, Option>>;

const { sort: _, title: _2, keepRows: _3, ...ofFiles } = startFlags;

/** Those that a further file of a report takes. docs/contract.md §5.6. */
export const fileFlags = {
  ...ofFiles,
  format: new Option("--format <format>", ofFiles.format.description).makeOptionMandatory(),
};

/** Their values as commander reads them. */
export type StartFlagValues = Partial<Readonly<Record<keyof typeof startFlags, string | readonly string[] | boolean>>>;

function anyOf(values: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values);
}

/** A parser takes the place of the check of the choices, which then stand there for help and completion alone. */
function yesOrNo(text: string): boolean {
  if (text !== "yes" && text !== "no") throw new InvalidArgumentError("Allowed choices are yes, no.");
  return text === "yes";
}

function list(text: string): readonly string[] {
  return text.split(",").map((key) => key.trim());
}
