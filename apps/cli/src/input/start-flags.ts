import { reportFileOptions, reportOptions, reportOptionTexts, type ReportOptionFacts } from "@reports/client";
import { InvalidArgumentError, Option } from "commander";

type OptionName = keyof typeof reportOptions;

/** Texts for which the command line has better words than the service. */
const texts: Partial<Readonly<Record<OptionName, string>>> = {
  columns: "columns to show, in their order",
  sort: "columns to sort by; - in front for descending",
  groupBy: "key of the column by whose values the rows are grouped",
  csvBom: "csv without a byte order mark at its beginning",
  keepRows: "keep the rows, so that further files can be made of them (reports add-file)",
  accessible: "whether a pdf is tagged (PDF/UA); by default unless it is long",
  title: "title in the file and in its name",
};

/** Every option of a report (docs/contract.md §2.4) as a flag of the command line, in the order of the help. */
export const startFlags = Object.fromEntries(
  Object.entries<ReportOptionFacts>(reportOptions).map(([name, facts]) => [name, flagOf(name as OptionName, facts)]),
) as Readonly<Record<OptionName, Option>>;

/** Those that a further file of a report takes. docs/contract.md §5.6. */
export const fileFlags = Object.fromEntries(
  reportFileOptions.map((name) => [
    name,
    name === "format" ? flagOf(name, reportOptions[name]).makeOptionMandatory() : startFlags[name],
  ]),
) as Readonly<Record<(typeof reportFileOptions)[number], Option>>;

/** Their values as commander reads them. */
export type StartFlagValues = Partial<Readonly<Record<OptionName, string | readonly string[] | boolean>>>;

function flagOf(name: OptionName, { kind, values, byDefault }: ReportOptionFacts): Option {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = texts[name] ?? shortened(reportOptionTexts[name]);
  switch (kind) {
    case "text":
      return new Option(`--${flag} <text>`, text);
    case "choice":
      return new Option(`--${flag} <${name}>`, `${anyOf(values ?? [])}: ${text}`);
    case "list":
      return new Option(`--${flag} <keys>`, `${text} (separated by commas)`).argParser(list);
    case "flag":
      if (byDefault === undefined)
        return new Option(`--${flag} <yes|no>`, text).choices(["yes", "no"]).argParser(yesOrNo);
      return new Option(byDefault === true ? `--no-${flag}` : `--${flag}`, text);
  }
}

/** The first sentence, as a line of help has it: without its period, and in lower case unless it begins with an abbreviation. */
function shortened(about: string): string {
  const [first = ""] = about.split(/\.(?: |$)/);
  return first.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

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
