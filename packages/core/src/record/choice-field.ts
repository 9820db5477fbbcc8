import { z } from "zod";
import { ruleErrorOption, toRuleMeta } from "./field-rule.ts";

type EnumValues = readonly [string, ...string[]];
type EnumSchema<T extends EnumValues> = z.ZodEnum<{ [V in T[number]]: V }>;

export type NamedChoiceSchemas = ReadonlyMap<EnumValues, z.ZodType>;

export function createNamedChoiceSchemas(
  choices: readonly (readonly [id: string, values: EnumValues, description: string])[],
): NamedChoiceSchemas {
  return new Map(choices.map(([id, values, description]) => [values, enumSchema(values).meta({ id, description })]));
}

/** Returns the values with their meanings, for the description of a schema. */
export function describeMeanings(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([value, meaning]) => `${value}: ${meaning}`)
    .join(" ");
}

export function createChoiceFieldFactory(
  named: NamedChoiceSchemas,
): <const T extends EnumValues>(values: T) => EnumSchema<T> {
  return <const T extends EnumValues>(values: T) =>
    (named.get(values) as EnumSchema<T> | undefined) ?? enumSchema(values);
}

function enumSchema<const T extends EnumValues>(values: T): EnumSchema<T> {
  const must = `must be one of ${values.join(", ")}`;
  return z.enum(values, ruleErrorOption(must)).meta(toRuleMeta(must));
}
