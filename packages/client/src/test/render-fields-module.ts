import {
  builtInReportTypes,
  renditionOptionNames,
  startOptionDeclarations,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { severityThresholds } from "@reports/core/inventory";
import type { Fields } from "@reports/core/record";
import { scheduleRecord } from "@reports/core/schedule";
import { webhookRecord } from "@reports/core/webhook";
import { flattenAnyOf, findSchemaDescription, toValueListName, type JsonSchema } from "./print-types.ts";
import type { WireTypeDeclaration } from "./wire-declarations.ts";

type OptionName = keyof typeof startOptionDeclarations;

const fieldFactsDeclaration = `/** Describes a field that people fill in. Programs make flags and form fields from it. */
export interface FieldFacts {
  readonly kind: "choice" | "flag" | "integer" | "list" | "text" | "time";
  /** The values of a field that takes one of them, or a list of them. */
  readonly values?: readonly string[];
  /** The value that the gateway uses if the field is omitted. Undefined if it depends on the report type or the format. */
  readonly byDefault?: string | number | boolean;
  readonly isRequired?: true;
  /** Missing if the words of the field's name are its title. */
  readonly title?: string;
}
`;

type DeclarationsByName = ReadonlyMap<string, WireTypeDeclaration>;

export function renderFieldsModule(declared: DeclarationsByName, shown: readonly string[]): string {
  const { reportType: _, searchParam: _2, ...options } = declared.get("ReportStart")!.schema.properties!;
  const defaults = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, default: optionDefault(name as OptionName) }]),
  );
  const parts = [
    printPart("reportOption", "The options of reports.", { properties: defaults }),
    printPart(
      "scheduleField",
      "The fields of a schedule.",
      declared.get("ReportScheduleInput")!.schema,
      scheduleRecord,
    ),
    printPart("webhookField", "The fields of a webhook.", declared.get("WebhookInput")!.schema, webhookRecord),
  ];
  const used = shown.map(toValueListName).filter((values) => parts.some((part) => part.includes(`values: ${values}`)));
  return `import { ${used.toSorted().join(", ")} } from "./enumerations.ts";

${[fieldFactsDeclaration, ...parts].join("\n")}
/** The options of an additional format of a report. */
export const reportFileOptions = [
${renditionOptionNames.map((name) => `  "${name}",\n`).join("")}] as const;

/** A certificate is CRITICAL or WARN if its remaining time is below the threshold. The threshold is this fraction of its lifetime, but at least floorDays and at most ceilingDays. docs/reference/resources/domains.md#derived-values. */
export const severityThresholds = {
${Object.entries(severityThresholds)
  .map(
    ([severity, facts]) =>
      `  ${severity}: { ${Object.entries(facts)
        .map(([name, value]) => `${name}: ${value}`)
        .join(", ")} },\n`,
  )
  .join("")}} as const;
`;

  function printPart(
    name: string,
    about: string,
    { properties = {}, required = [] }: JsonSchema,
    record?: { readonly fields: Fields },
  ): string {
    const fields = Object.entries(properties).flatMap(([field, property]) => {
      const kind = fieldKind(property, declared, shown);
      const byDefault = property.default ?? null;
      const isPlain = byDefault !== null && typeof byDefault !== "object";
      const title = record?.fields[field]?.shown?.title;
      const more = `${title === undefined ? "" : `, title: ${JSON.stringify(title)}`}${isPlain ? `, byDefault: ${JSON.stringify(byDefault)}` : ""}${required.includes(field) ? ", isRequired: true" : ""}`;
      const description =
        findSchemaDescription(property) ?? declared.get(referencedName(property.$ref ?? ""))?.schema.description ?? "";
      return kind === null
        ? []
        : [{ field, entry: `${field}: { ${kind}${more} }`, description: JSON.stringify(description) }];
    });
    const texts = fields.map(
      ({ field, description }) =>
        `  ${field}:${field.length + description.length > 115 ? "\n   " : ""} ${description},\n`,
    );
    return `/** ${about} Fields that hold objects are omitted. */
export const ${name}s = {
${fields.map(({ entry }) => `  ${entry},\n`).join("")}} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions of these fields, by the name of the field. */
export const ${name}Texts = {
${texts.join("")}} as const;
`;
  }
}

function fieldKind(schema: JsonSchema, declared: DeclarationsByName, shown: readonly string[]): string | null {
  const [only, ...others] = flattenAnyOf([schema]).filter(({ type }) => type !== "null");
  if (only === undefined || others.length > 0) return null;
  const { $ref, type, format, items } = only;
  if (items !== undefined) return `kind: "list"${printFieldValues(items.$ref, declared, shown)}`;
  if ($ref !== undefined) {
    const values = printFieldValues($ref, declared, shown);
    return values === "" ? null : `kind: "choice"${values}`;
  }
  if (type === "string") return `kind: "${format === "date-time" ? "time" : "text"}"`;
  return type === "boolean" ? 'kind: "flag"' : type === "integer" ? 'kind: "integer"' : null;
}

function printFieldValues(
  reference: string | undefined,
  declared: DeclarationsByName,
  shown: readonly string[],
): string {
  const name = referencedName(reference ?? "");
  const values = declared.get(name)?.schema.enum;
  if (values === undefined) return "";
  return `, values: ${shown.includes(name) ? toValueListName(name) : `[${values.map((value) => `"${value}"`).join(", ")}]`}`;
}

function referencedName(reference: string): string {
  return reference.split("/").at(-1)!;
}

/** Returns the default of an option, or null if it depends on the report type, the format or the language. */
function optionDefault(option: OptionName): unknown {
  const [first] = builtInReportTypes;
  const withoutPdf: ReportTypeDefinition = { ...first!, formats: { csv: first!.formats.csv! } };
  const defaults = new Set(
    [...builtInReportTypes, withoutPdf].flatMap((definition) =>
      [
        { format: "pdf", language: "en" } as const,
        { format: "csv", language: "en" } as const,
        { format: "pdf", language: "de" } as const,
      ].map((chosen) => JSON.stringify(startOptionDeclarations[option].byDefault(definition, chosen))),
    ),
  );
  return defaults.size > 1 ? null : JSON.parse([...defaults][0]!);
}
