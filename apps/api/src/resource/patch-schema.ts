import type { InputRules } from "@reports/core";
import { z } from "zod";

/** A merge patch of a record, for the documentation: every field may be left out, and null takes it back to its default. */
export function patchSchema<Input>(rules: InputRules<Input>): z.ZodType {
  const whole = z.toJSONSchema(rules.schema, { io: "input", unrepresentable: "any" });
  const required = new Set(whole.required);
  const properties = Object.entries(whole.properties ?? {}).map(([field, property]) => {
    if (typeof property === "boolean") return [field, property] as const;
    // The default is what null means here; it is not what leaving the field out means.
    const { default: _, ...rest } = property;
    return [field, required.has(field) ? rest : { anyOf: [rest, { type: "null" }] }] as const;
  });
  return z.unknown().meta({ type: "object", properties: Object.fromEntries(properties), additionalProperties: false });
}
