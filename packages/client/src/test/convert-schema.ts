import type { JsonSchema } from "./print-types.ts";

/** Declares the only method of a zod schema that this module uses, because the client does not depend on zod. */
export interface ZodSchemaLike {
  toJSONSchema(options: { readonly io: "input" | "output"; readonly unrepresentable: "any" }): object;
}

export interface SchemaWithComponents {
  readonly schema: JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

type SchemaParts = Readonly<Record<string, SchemaWithComponents>>;

export const stringSchema: SchemaWithComponents = { schema: { type: "string" }, components: {} };

export function toNamedSchema(
  schema: ZodSchemaLike,
  io: "input" | "output",
): SchemaWithComponents & { readonly name: string } {
  const { $defs = {}, $ref, ...own } = moveNullToReferences(schema.toJSONSchema({ io, unrepresentable: "any" }));
  const name = $ref?.split("/").at(-1) ?? "";
  const { [name]: component, ...components } = $defs;
  return { name, schema: { ...component, ...own }, components };
}

/** Converts a schema that is part of another one. If it is an OpenAPI component, the result refers to that component. */
export function toSchemaWithComponents(schema: ZodSchemaLike, io: "input" | "output"): SchemaWithComponents {
  const { $defs: components = {}, ...own } = moveNullToReferences(schema.toJSONSchema({ io, unrepresentable: "any" }));
  return { schema: own, components };
}

export function anyOfSchemas(...parts: readonly SchemaWithComponents[]): SchemaWithComponents {
  return { schema: { anyOf: parts.map(({ schema }) => schema) }, components: mergeComponents(parts) };
}

export function makeSchemaNullable(part: SchemaWithComponents): SchemaWithComponents {
  return anyOfSchemas(part, { schema: { type: "null" }, components: {} });
}

export function withSchemaDescription(
  { schema, components }: SchemaWithComponents,
  description: string | undefined,
): SchemaWithComponents {
  return { schema: description === undefined ? schema : { ...schema, description }, components };
}

export function createObjectSchema(
  description: string,
  required: SchemaParts,
  optional: SchemaParts = {},
): SchemaWithComponents {
  const fields = { ...required, ...optional };
  const properties = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return {
    schema: { description, properties: Object.fromEntries(properties), required: Object.keys(required) },
    components: mergeComponents(Object.values(fields)),
  };
}

type SchemaDocument = JsonSchema & { readonly $defs?: SchemaWithComponents["components"] };

/** Moves `null` from each nullable enumeration to the references to it, so that the enumeration's type has only its values. */
function moveNullToReferences(whole: SchemaDocument): SchemaDocument {
  const nullable = Object.entries(whole.$defs ?? {}).flatMap(([name, { anyOf = [], ...rest }]) =>
    anyOf.length === 2 && anyOf[0]!.enum !== undefined && anyOf[1]!.type === "null"
      ? [[name, { ...anyOf[0], ...rest }] as const]
      : [],
  );
  const names = new Set(nullable.map(([name]) => `#/$defs/${name}`));
  const moved = JSON.parse(JSON.stringify(whole), (_, value: JsonSchema | null) =>
    names.has(value?.$ref ?? "") ? { anyOf: [value, { type: "null" }] } : value,
  ) as SchemaDocument;
  return { ...moved, ...(moved.$defs && { $defs: { ...moved.$defs, ...Object.fromEntries(nullable) } }) };
}

function mergeComponents(parts: readonly SchemaWithComponents[]): SchemaWithComponents["components"] {
  return Object.assign({}, ...parts.map(({ components }) => components)) as SchemaWithComponents["components"];
}
