import {
  builtInReportTypes,
  choicesOfAll,
  fileOptionNames,
  requestOptions,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { convert } from "./convert-schema.ts";
import { descriptionOf, nameOfValues, type JsonSchema } from "./print-types.ts";

/** Prints the options of reports as data, for programs that make flags and fields of them. */
export function printOptions(): string {
  const options = Object.entries(requestOptions).map(([name, option]) => {
    const stored = convert(option.stored, "output");
    const given = convert(option.given(choicesOfAll(builtInReportTypes)).json, "input").schema;
    const values = stored.schema.enum === undefined ? "" : `, values: ${nameOfValues(stored.name)}`;
    const byDefault = defaultOf(option);
    const facts = `kind: "${kindOf(stored.schema)}"${values}${byDefault === null ? "" : `, byDefault: ${byDefault}`}`;
    return { name, facts, uses: stored.schema.enum === undefined ? [] : [nameOfValues(stored.name)], given };
  });
  const texts = options.map(({ name, given }) => {
    const about = JSON.stringify(descriptionOf(given));
    return `  ${name}:${name.length + about.length > 115 ? "\n   " : ""} ${about},\n`;
  });
  return `import { ${options
    .flatMap(({ uses }) => uses)
    .toSorted()
    .join(", ")} } from "./enumerations.ts";

/** What programs need to know of an option of reports. */
export interface ReportOptionFacts {
  readonly kind: "choice" | "flag" | "list" | "text";
  /** The values of a choice. */
  readonly values?: readonly string[];
  /** The value of an option that is left out, if it is the same for every report type. */
  readonly byDefault?: string | boolean;
}

/** The options of a start. */
export const reportOptions = {
${options.map(({ name, facts }) => `  ${name}: { ${facts} },\n`).join("")}} as const satisfies Readonly<Record<string, ReportOptionFacts>>;

/** What the options of a start mean. */
export const reportOptionTexts = {
${texts.join("")}} as const;

/** The options that a further file of a report takes. */
export const reportFileOptions = [
${fileOptionNames.map((name) => `  "${name}",\n`).join("")}] as const;
`;
}

function kindOf({ type, enum: values }: JsonSchema): "choice" | "flag" | "list" | "text" {
  const types = [type].flat();
  if (values !== undefined) return "choice";
  return types.includes("boolean") ? "flag" : types.includes("array") ? "list" : "text";
}

/** The default as JSON, or null if there is none or it depends on the report type or the format. */
function defaultOf({ byDefault }: (typeof requestOptions)[keyof typeof requestOptions]): string | null {
  const [first] = builtInReportTypes;
  const withoutPdf: ReportTypeDefinition = { ...first!, formats: { csv: first!.formats.csv! } };
  const defaults = new Set(
    [...builtInReportTypes, withoutPdf].flatMap((definition) =>
      (["pdf", "csv"] as const).map((format) => JSON.stringify(byDefault(definition, format))),
    ),
  );
  const [only] = defaults;
  return defaults.size > 1 || only === "null" ? null : only!;
}
