import { z } from "zod";

/** JSON Schemas by their name, as a document's components. */
export type Components = Record<string, unknown>;

/**
 * The JSON Schema (2020-12) of a zod schema. Schemas that have an id go into the components and are referred to from there.
 * `io` says which side is described: what callers send, or what they get.
 */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output", components: Components): unknown {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<string, unknown>;
  for (const [name, definition] of Object.entries($defs as Record<string, unknown>))
    components[name] = withoutOwnId(pointToComponents(definition));
  const id = own["id"];
  if (typeof id !== "string") return pointToComponents(own);
  components[id] = withoutOwnId(pointToComponents(own));
  return { $ref: `#/components/schemas/${id}` };
}

function pointToComponents(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function withoutOwnId(schema: unknown): unknown {
  const { id: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}
