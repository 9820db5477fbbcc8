import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

export type OpenApiComponents = Record<string, unknown>;

/** Whether a schema describes a request (`input`) or a response (`output`). Tests use `closed-output`, a response without unknown fields. */
export type SchemaDirection = "input" | "output" | "closed-output";

type JsonObject = Record<string, unknown>;

const refPrefix = "#/components/schemas/";

interface ConvertedSchema {
  readonly schema: unknown;
  readonly definitions: readonly (readonly [id: string, schema: unknown])[];
}

/** Cache of converted schemas. Without it, the conversions would take most of the time in which the API starts. */
const conversionCache: Readonly<Record<SchemaDirection, WeakMap<z.ZodType, ConvertedSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
  "closed-output": new WeakMap(),
};

/**
 * Converts a zod schema to JSON Schema (2020-12). Adds schemas with an ID to `components` and refers to them. Responses may have unknown fields,
 * so that clients accept future ones; requests may not. The result is cached and must not be changed. Throws if two schemas have the same ID.
 */
export function toJsonSchema(schema: z.ZodType, side: SchemaDirection, components: OpenApiComponents): unknown {
  const known = conversionCache[side];
  let whole = known.get(schema);
  if (whole === undefined) known.set(schema, (whole = convertSchema(schema, side)));
  for (const [id, definition] of whole.definitions) {
    if (components[id] !== undefined && !isDeepStrictEqual(components[id], definition))
      throw new Error(`Two schemas have the id ${id}.`);
    components[id] = definition;
  }
  return whole.schema;
}

function convertSchema(schema: z.ZodType, side: SchemaDirection): ConvertedSchema {
  const whole = z.toJSONSchema(schema, {
    io: side === "input" ? "input" : "output",
    unrepresentable: "any",
    override: ({ jsonSchema }) => adaptToSide(jsonSchema, side),
  });
  const { $schema: _, $defs = {}, ...own } = JSON.parse(pointToComponents(JSON.stringify(whole))) as JsonObject;
  const definitions = definitionsIn($defs as JsonObject);
  const { id } = own;
  if (typeof id !== "string") return { schema: simplify(own), definitions };
  return { schema: { $ref: `${refPrefix}${id}` }, definitions: [...definitions, ...definitionsIn({ [id]: own })] };
}

/** Replaces references to components by the components themselves, for readers that do not have the document. No component may contain itself. */
export function inlineReferences(schema: unknown, components: OpenApiComponents): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => inlineReferences(inner, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, ...rest } = schema as JsonObject;
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, inlineReferences(inner, components)]),
  );
  if (typeof $ref !== "string") return own;
  return { ...(inlineReferences(components[$ref.slice(refPrefix.length)], components) as JsonObject), ...own };
}

function definitionsIn(schemas: JsonObject): ConvertedSchema["definitions"] {
  return Object.entries(schemas).flatMap(([id, schema]) => {
    const { id: _, $defs = {}, ...definition } = schema as JsonObject;
    return [...definitionsIn($defs as JsonObject), [id, simplify(definition)] as const];
  });
}

function adaptToSide(schema: JsonObject, side: SchemaDirection): void {
  if (side === "output" && schema["additionalProperties"] === false) delete schema["additionalProperties"];
  // `format` already says the same as the pattern, and code generators support `format`.
  if (side !== "input" && (schema["format"] === "date-time" || schema["format"] === "uuid")) delete schema["pattern"];
}

function pointToComponents(text: string): string {
  return text.replaceAll('"#/$defs/', `"${refPrefix}`);
}

/**
 * Rewrites a schema in a form that code generators understand: alternatives become one flat `anyOf`. A nullable type becomes a list of the type
 * and "null", except for objects. docs/decisions/0072-one-form-of-choices.md.
 */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== "object" || value === null) return value;
  const schema: JsonObject = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, simplify(inner)]));
  const { type, ...untyped } = schema;
  if (Array.isArray(type) && type.filter((one) => one !== "null").length > 1)
    return { ...untyped, anyOf: type.map((one: unknown) => ({ type: one })) };
  const { anyOf, ...rest } = schema;
  return Array.isArray(anyOf) ? joinAlternatives(anyOf as readonly JsonObject[], rest) : schema;
}

function joinAlternatives(given: readonly JsonObject[], rest: JsonObject): JsonObject {
  // A nested `anyOf` disappears, so its description moves to the outer one, unless that has its own.
  const described = given.find((one) => isPlainChoice(one) && one["description"] !== undefined)?.["description"];
  const anyOf = given.flatMap((one) => (isPlainChoice(one) ? (one["anyOf"] as readonly JsonObject[]) : [one]));
  const whole = { ...(described !== undefined && { description: described }), ...rest };
  const [first, second] = anyOf;
  const type = first?.["type"];
  const isNullable = anyOf.length === 2 && second!["type"] === "null" && typeof type === "string";
  if (!isNullable || type === "object" || "enum" in first! || "const" in first!) return { anyOf, ...whole };
  return { ...first, ...whole, type: [type, "null"] };
}

function isPlainChoice(schema: JsonObject): boolean {
  return Array.isArray(schema["anyOf"]) && Object.keys(schema).every((key) => key === "anyOf" || key === "description");
}
