import { z } from "zod";
import { ruleError, describeRule } from "./field-rule.ts";

type EnumValues = readonly [string, ...string[]];
type EnumSchema<T extends EnumValues> = z.ZodEnum<{ [V in T[number]]: V }>;

export type NamedChoices = ReadonlyMap<EnumValues, z.ZodType>;

export function createNamedChoices(
  choices: readonly (readonly [id: string, values: EnumValues, description: string])[],
): NamedChoices {
  return new Map(choices.map(([id, values, description]) => [values, enumSchema(values).meta({ id, description })]));
}

export function createChoiceField(named: NamedChoices): <const T extends EnumValues>(values: T) => EnumSchema<T> {
  return <const T extends EnumValues>(values: T) =>
    (named.get(values) as EnumSchema<T> | undefined) ?? enumSchema(values);
}

function enumSchema<const T extends EnumValues>(values: T): EnumSchema<T> {
  const must = `must be one of ${values.join(", ")}`;
  return z.enum(values, ruleError(must)).meta(describeRule(must));
}
