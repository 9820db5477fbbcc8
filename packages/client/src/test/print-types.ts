export interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

export interface TypeDeclaration {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The interface that this one extends. The schema holds only the additional fields. */
  readonly extending?: string | undefined;
}

const maxLineLength = 120;

export function renderTypeDeclaration({ name, schema, extending }: TypeDeclaration): string {
  const about = printComment(schema.description ?? "");
  if (schema.enum !== undefined)
    return about + printList(`export type ${name} = `, schema.enum, ["Open<", " | ", ">"] as const);
  if (schema.properties === undefined) return `${about}export type ${name} = ${printType(schema)};\n`;
  const base = extending === undefined ? "" : ` extends ${extending}`;
  return `${about}export interface ${name}${base} {\n${printFields(schema, "  ")}}\n`;
}

export function renderValuesConstant(name: string, values: readonly string[]): string {
  const head = `export const ${toValueListName(name)} = `;
  return printComment("The values that this version knows.") + printList(head, values, ["[", ", ", "] as const"]);
}

/** Returns the name for the list of an enumeration's values: `paperSizes` for `PaperSize`. */
export function toValueListName(name: string): string {
  return `${name[0]!.toLowerCase()}${name.slice(1)}${name.endsWith("s") ? "es" : "s"}`;
}

export function listReferencedSchemaNames(schema: JsonSchema): readonly string[] {
  const { $ref, anyOf = [], items, properties = {}, additionalProperties } = schema;
  const parts = [...anyOf, items, ...Object.values(properties), additionalProperties];
  const own = $ref === undefined ? [] : [referencedName($ref)];
  return [...own, ...parts.flatMap((part) => (typeof part === "object" ? listReferencedSchemaNames(part) : []))];
}

/** Returns the description of a schema. A nullable schema has its description in one of its alternatives. */
export function findSchemaDescription({ description, anyOf = [] }: JsonSchema): string | undefined {
  return description ?? anyOf.find((part) => part.description !== undefined)?.description;
}

function printType(schema: JsonSchema, indent = ""): string {
  const { $ref, type, anyOf, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) return referencedName($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `Open<${schema.enum.map((value) => JSON.stringify(value)).join(" | ")}>`;
  if (anyOf !== undefined || typeof type === "object") {
    const types = flattenAnyOf([schema]).map((part) => printType(part, indent));
    return [...new Set(types)].join(" | ");
  }
  if (items !== undefined) {
    const item = printType(items, indent);
    return `readonly ${items.anyOf !== undefined || typeof items.type === "object" ? `(${item})` : item}[]`;
  }
  if (properties !== undefined) return `{\n${printFields(schema, `${indent}  `)}${indent}}`;
  if (type !== "object") return type === "integer" ? "number" : (type ?? "unknown");
  const value = typeof additionalProperties === "object" ? printType(additionalProperties, indent) : "unknown";
  return `Readonly<Record<string, ${value}>>`;
}

export function flattenAnyOf(parts: readonly JsonSchema[]): readonly JsonSchema[] {
  return parts.flatMap(({ anyOf, type, ...part }) => {
    if (anyOf !== undefined) return flattenAnyOf(anyOf);
    return typeof type === "object"
      ? type.map((one) => ({ ...part, type: one }))
      : [{ ...part, ...(type && { type }) }];
  });
}

function printFields({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const about = findSchemaDescription(schema);
      const [optional, orUndefined] = required.includes(name) ? ["", ""] : ["?", " | undefined"];
      const field = `${indent}readonly ${name}${optional}: ${printType(schema, indent)}${orUndefined};\n`;
      return about === undefined ? field : printComment(about, indent) + field;
    })
    .join("");
}

function referencedName(reference: string): string {
  return reference.split("/").at(-1)!;
}

function printComment(about: string, indent = ""): string {
  const says = about.replace(/ Later versions add more\.$/, "");
  const line = `${indent}/** ${says} */`;
  if (line.length <= maxLineLength) return `${line}\n`;
  const most = maxLineLength - indent.length - " * ".length;
  const rows = says.replaceAll(new RegExp(String.raw`(.{1,${most}})(?: |$)`, "g"), `${indent} * $1\n`);
  return `${indent}/**\n${rows}${indent} */\n`;
}

function printList(
  head: string,
  values: readonly string[],
  [open, separator, close]: readonly [string, string, string],
) {
  const quoted = values.map((value) => JSON.stringify(value));
  const line = `${head}${open}${quoted.join(separator)}${close};\n`;
  if (line.length <= maxLineLength + 1) return line;
  if (separator === ", ") return `${head}${open}\n${quoted.map((value) => `  ${value},\n`).join("")}${close};\n`;
  const inner = `  ${quoted.join(separator)}`;
  const rows = inner.length <= maxLineLength ? inner : quoted.map((value) => `  | ${value}`).join("\n");
  return `${head}${open}\n${rows}\n${close};\n`;
}
