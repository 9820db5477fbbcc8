import { z } from "zod";
import { allow, describe } from "./field-rule.ts";

type Values = readonly [string, ...string[]];
type Choice<T extends Values> = z.ZodEnum<{ [V in T[number]]: V }>;

/** Lists of values that clients know by a name: one component of OpenAPI each, wherever they stand, in records, bodies and filters. */
export type NamedChoices = ReadonlyMap<Values, z.ZodType>;

/** Gives lists of values their names, each with a sentence that describes it. */
export function nameChoices(
  choices: readonly (readonly [id: string, values: Values, description: string])[],
): NamedChoices {
  return new Map(choices.map(([id, values, description]) => [values, choice(values).meta({ id, description })]));
}

/** Makes the function that gives the field of a list of values: its component where the list has a name. */
export function createChoiceField(named: NamedChoices): <const T extends Values>(values: T) => Choice<T> {
  return <const T extends Values>(values: T) => (named.get(values) as Choice<T> | undefined) ?? choice(values);
}

function choice<const T extends Values>(values: T): Choice<T> {
  const must = `must be one of ${values.join(", ")}`;
  return z.enum(values, allow(must)).meta(describe(must));
}
