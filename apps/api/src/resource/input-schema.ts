import type { CollectionDefinition, InputRules } from "@reports/core/record";
import { z } from "zod";
import { pascal } from "./mounted-collection.ts";

type Properties = Readonly<Record<string, z.core.JSONSchema._JSONSchema>>;
type Described = Pick<CollectionDefinition, "singular" | "schema">;

/** A complete record in requests, for the documentation: writable fields, and server fields that may be repeated. */
export function inputSchema<Input>(definition: Described, rules: InputRules<Input>): z.ZodType {
  const { required = [], $defs } = schemaOf(rules.schema, "input");
  return z.unknown().meta({
    id: `${pascal(definition.singular)}Input`,
    description: `The writable fields of a ${definition.singular}. Fields that are left out take their defaults.`,
    type: "object",
    properties: { ...writableProperties(definition, rules), ...serverProperties(definition, rules) },
    required,
    additionalProperties: false,
    $defs,
  });
}

/** A merge patch, for the documentation: every field is optional, and null restores its default. */
export function patchSchema<Input>(definition: Described, rules: InputRules<Input>): z.ZodType {
  const whole = schemaOf(rules.schema, "input");
  const properties = Object.entries(writableProperties(definition, rules)).map(([field, property]) => {
    if (typeof property === "boolean") return [field, property] as const;
    // Null means the default here; a missing field does not.
    const { default: _, ...rest } = property;
    const isNullable = whole.required?.includes(field) !== true && !allowsNull(rest);
    return [field, isNullable ? { anyOf: [rest, { type: "null" }] } : rest] as const;
  });
  return z.unknown().meta({
    id: `${pascal(definition.singular)}Patch`,
    description: `A merge patch (RFC 7396) of a ${definition.singular}: null takes a field back to its default.`,
    type: "object",
    properties: { ...Object.fromEntries(properties), ...serverProperties(definition, rules) },
    additionalProperties: false,
    $defs: whole.$defs,
  });
}

/** Describes writable fields as in records, followed by what is allowed. A component describes itself. */
function writableProperties<Input>({ schema }: Described, rules: InputRules<Input>): Properties {
  const answered = schemaOf(schema, "output").properties ?? {};
  return Object.fromEntries(
    Object.entries(schemaOf(rules.schema, "input").properties ?? {}).map(([field, property]) => {
      const meaning = descriptionOf(answered[field]);
      if (typeof property === "boolean" || meaning === undefined) return [field, property] as const;
      return [field, { ...property, description: [meaning, descriptionOf(property) ?? []].flat().join(" ") }] as const;
    }),
  );
}

function descriptionOf(property: Properties[string] | undefined): string | undefined {
  if (typeof property !== "object") return undefined;
  // A nullable field's description is inside.
  return property.description ?? property.anyOf?.map(descriptionOf).find((description) => description !== undefined);
}

/** Server fields may be repeated, so that a record can be sent back as it was read. */
function serverProperties<Input>({ schema }: Described, { serverFields }: InputRules<Input>): Properties {
  const { properties = {} } = schemaOf(schema, "output");
  return Object.fromEntries(
    serverFields.map((field) => [field, { ...(properties[field] as z.core.JSONSchema.JSONSchema), readOnly: true }]),
  );
}

type Side = "input" | "output";

/** Six descriptions of a collection begin with the same two schemas, and converting one takes milliseconds. */
const converted: Readonly<Record<Side, WeakMap<z.ZodType, z.core.JSONSchema.JSONSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/** The result is shared: callers copy what they change. */
function schemaOf(schema: z.ZodType, io: Side): z.core.JSONSchema.JSONSchema {
  const known = converted[io].get(schema);
  if (known !== undefined) return known;
  const { $ref, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  // A schema with an ID is among the definitions.
  const made = $ref === undefined ? whole : (whole.$defs![$ref.split("/").at(-1)!] as z.core.JSONSchema.JSONSchema);
  converted[io].set(schema, made);
  return made;
}

function allowsNull({ anyOf }: z.core.JSONSchema.JSONSchema): boolean {
  return anyOf?.some((choice) => typeof choice === "object" && choice.type === "null") === true;
}
