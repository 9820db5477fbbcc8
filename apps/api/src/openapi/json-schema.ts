import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** JSON Schemas by their name, as a document's components. */
export type Components = Record<string, unknown>;

/** What callers send, what they get, or what they get with every field that is not named being an error: that is for tests. */
export type Side = "input" | "output" | "closed-output";

type Json = Record<string, unknown>;

const componentsAt = "#/components/schemas/";

/** A schema as it was converted, and the components that it refers to. */
interface Converted {
  readonly schema: unknown;
  readonly definitions: readonly (readonly [id: string, schema: unknown])[];
}

/** Most schemas stand at many places: that of problems at every answer. Converting them anew took most of an API's start. */
const converted: Readonly<Record<Side, WeakMap<z.ZodType, Converted>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
  "closed-output": new WeakMap(),
};

/**
 * The JSON Schema (2020-12) of a zod schema. Schemas that have an id go into the components and are referred to from there.
 * Answers are open, so that a client of today takes the fields of tomorrow; what callers send is closed.
 * What it gives is shared, and not to be changed. Throws when two different schemas have the same id.
 */
export function jsonSchemaOf(schema: z.ZodType, side: Side, components: Components): unknown {
  const known = converted[side];
  let whole = known.get(schema);
  if (whole === undefined) known.set(schema, (whole = convert(schema, side)));
  for (const [id, definition] of whole.definitions) {
    if (components[id] !== undefined && !isDeepStrictEqual(components[id], definition))
      throw new Error(`Two schemas have the id ${id}.`);
    components[id] = definition;
  }
  return whole.schema;
}

function convert(schema: z.ZodType, side: Side): Converted {
  const whole = z.toJSONSchema(schema, {
    io: side === "input" ? "input" : "output",
    unrepresentable: "any",
    override: ({ jsonSchema }) => adapt(jsonSchema, side),
  });
  const { $schema: _, $defs = {}, ...own } = JSON.parse(pointToComponents(JSON.stringify(whole))) as Json;
  const definitions = definitionsIn($defs as Json);
  const { id } = own;
  if (typeof id !== "string") return { schema: simplify(own), definitions };
  return { schema: { $ref: `${componentsAt}${id}` }, definitions: [...definitions, ...definitionsIn({ [id]: own })] };
}

/** Returns the schema with each component in its place, for readers without the document. No component may contain itself. */
export function inline(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => inline(inner, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, ...rest } = schema as Json;
  const own = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, inline(inner, components)]));
  if (typeof $ref !== "string") return own;
  return { ...(inline(components[$ref.slice(componentsAt.length)], components) as Json), ...own };
}

/** With those inside of them. */
function definitionsIn(schemas: Json): Converted["definitions"] {
  return Object.entries(schemas).flatMap(([id, schema]) => {
    const { id: _, $defs = {}, ...definition } = schema as Json;
    return [...definitionsIn($defs as Json), [id, simplify(definition)] as const];
  });
}

function adapt(schema: Json, side: Side): void {
  if (side === "output" && schema["additionalProperties"] === false) delete schema["additionalProperties"];
  // The format says it already, and in a form that generators know.
  if (side !== "input" && (schema["format"] === "date-time" || schema["format"] === "uuid")) delete schema["pattern"];
}

function pointToComponents(text: string): string {
  return text.replaceAll('"#/$defs/', `"${componentsAt}`);
}

/**
 * The schema in the one form that generators understand (docs/decisions/0072-one-form-of-choices.md): a choice is a flat `anyOf`, and
 * a nullable type is a list of that type and "null", unless it is an object.
 */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (typeof value !== "object" || value === null) return value;
  const schema: Json = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, simplify(inner)]));
  const { type, ...untyped } = schema;
  if (Array.isArray(type) && type.filter((one) => one !== "null").length > 1)
    return { ...untyped, anyOf: type.map((one: unknown) => ({ type: one })) };
  const { anyOf, ...rest } = schema;
  return Array.isArray(anyOf) ? choice(anyOf as readonly Json[], rest) : schema;
}

function choice(given: readonly Json[], rest: Json): Json {
  // A choice within a choice loses its own description only if the outer one has another.
  const described = given.find((one) => isPlainChoice(one) && one["description"] !== undefined)?.["description"];
  const anyOf = given.flatMap((one) => (isPlainChoice(one) ? (one["anyOf"] as readonly Json[]) : [one]));
  const whole = { ...(described !== undefined && { description: described }), ...rest };
  const [first, second] = anyOf;
  const type = first?.["type"];
  const isNullable = anyOf.length === 2 && second!["type"] === "null" && typeof type === "string";
  if (!isNullable || type === "object" || "enum" in first! || "const" in first!) return { anyOf, ...whole };
  return { ...first, ...whole, type: [type, "null"] };
}

function isPlainChoice(schema: Json): boolean {
  return Array.isArray(schema["anyOf"]) && Object.keys(schema).every((key) => key === "anyOf" || key === "description");
}
