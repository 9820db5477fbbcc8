import type { CollectionDefinition, RecordInputRules } from "@reports/core/record";
import { z } from "zod";
import { toPascalCase } from "./collection-with-store.ts";

type SchemaProperties = Readonly<Record<string, z.core.JSONSchema._JSONSchema>>;
type DescribedRecord = Pick<CollectionDefinition, "singular" | "schema">;

/**
 * Returns the documented schema of a POST or PUT body: the writable fields, and the fields that only the server sets. A caller may send the latter
 * back unchanged.
 */
export function createRecordInputSchema<Input>(definition: DescribedRecord, rules: RecordInputRules<Input>): z.ZodType {
  const { required = [], $defs } = schemaOf(rules.schema, "input");
  return z.unknown().meta({
    id: `${toPascalCase(definition.singular)}Input`,
    description: `The writable fields of a ${definition.singular}. Fields that are left out take their defaults.`,
    type: "object",
    properties: { ...writableProperties(definition, rules), ...serverProperties(definition, rules) },
    required,
    additionalProperties: false,
    $defs,
  });
}

/** Returns the documented schema of a merge patch. Every field is optional, and null resets a field to its default. */
export function createRecordPatchSchema<Input>(definition: DescribedRecord, rules: RecordInputRules<Input>): z.ZodType {
  const whole = schemaOf(rules.schema, "input");
  const properties = Object.entries(writableProperties(definition, rules)).map(([field, property]) => {
    if (typeof property === "boolean") return [field, property] as const;
    // The schema of a patch has no defaults, because a field that a patch lacks keeps its value.
    const { default: _, ...rest } = property;
    const isNullable = whole.required?.includes(field) !== true && !allowsNull(rest);
    return [field, isNullable ? { anyOf: [rest, { type: "null" }] } : rest] as const;
  });
  return z.unknown().meta({
    id: `${toPascalCase(definition.singular)}Patch`,
    description: `A merge patch (RFC 7396) of a ${definition.singular}: null takes a field back to its default.`,
    type: "object",
    properties: { ...Object.fromEntries(properties), ...serverProperties(definition, rules) },
    additionalProperties: false,
    $defs: whole.$defs,
  });
}

function writableProperties<Input>({ schema }: DescribedRecord, rules: RecordInputRules<Input>): SchemaProperties {
  const answered = schemaOf(schema, "output").properties ?? {};
  return Object.fromEntries(
    Object.entries(schemaOf(rules.schema, "input").properties ?? {}).map(([field, property]) => {
      const meaning = descriptionOf(answered[field]);
      if (typeof property === "boolean" || meaning === undefined) return [field, property] as const;
      return [field, { ...property, description: [meaning, descriptionOf(property) ?? []].flat().join(" ") }] as const;
    }),
  );
}

function descriptionOf(property: SchemaProperties[string] | undefined): string | undefined {
  if (typeof property !== "object") return undefined;
  // zod puts the description of a nullable field inside `anyOf`.
  return property.description ?? property.anyOf?.map(descriptionOf).find((description) => description !== undefined);
}

/** Returns the fields that the server sets. A body may contain them unchanged, so that a caller can send a record back as it was read. */
function serverProperties<Input>(
  { schema }: DescribedRecord,
  { serverFields }: RecordInputRules<Input>,
): SchemaProperties {
  const { properties = {} } = schemaOf(schema, "output");
  return Object.fromEntries(
    serverFields.map((field) => [field, { ...(properties[field] as z.core.JSONSchema.JSONSchema), readOnly: true }]),
  );
}

type Direction = "input" | "output";

/** Cache of converted schemas. Each collection converts the same two schemas six times, and a conversion takes milliseconds. */
const convertedSchemas: Readonly<Record<Direction, WeakMap<z.ZodType, z.core.JSONSchema.JSONSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/** Converts a zod schema to JSON Schema. The result is cached and must not be changed. */
function schemaOf(schema: z.ZodType, io: Direction): z.core.JSONSchema.JSONSchema {
  const known = convertedSchemas[io].get(schema);
  if (known !== undefined) return known;
  const { $ref, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  // If a schema has an ID, zod returns only a reference and puts the schema into `$defs`.
  const made = $ref === undefined ? whole : (whole.$defs![$ref.split("/").at(-1)!] as z.core.JSONSchema.JSONSchema);
  convertedSchemas[io].set(schema, made);
  return made;
}

function allowsNull({ anyOf }: z.core.JSONSchema.JSONSchema): boolean {
  return anyOf?.some((choice) => typeof choice === "object" && choice.type === "null") === true;
}
