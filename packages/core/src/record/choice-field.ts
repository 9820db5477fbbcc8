import { z } from "zod";
import { allow, describe } from "./field-rule.ts";

type Values = readonly [string, ...string[]];
type Choice<T extends Values> = z.ZodEnum<{ [V in T[number]]: V }>;

/** Enumerations and their named schemas. Each is one OpenAPI component, to which records, bodies and filters refer. */
export type NamedChoices = ReadonlyMap<Values, z.ZodType>;

/** Creates the named schemas of enumerations from their names, values and descriptions. */
export function nameChoices(
  choices: readonly (readonly [id: string, values: Values, description: string])[],
): NamedChoices {
  return new Map(choices.map(([id, values, description]) => [values, choice(values).meta({ id, description })]));
}

/** Returns a function that returns the schema of an enumeration: the named schema if there is one, else a new one. */
export function createChoiceField(named: NamedChoices): <const T extends Values>(values: T) => Choice<T> {
  return <const T extends Values>(values: T) => (named.get(values) as Choice<T> | undefined) ?? choice(values);
}

function choice<const T extends Values>(values: T): Choice<T> {
  const must = `must be one of ${values.join(", ")}`;
  return z.enum(values, allow(must)).meta(describe(must));
}
