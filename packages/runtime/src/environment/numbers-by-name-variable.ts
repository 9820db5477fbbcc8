import { z } from "zod";

export interface NumbersByNameVariable<Name extends string> {
  readonly schema: z.ZodType<Readonly<Record<Name, number>>, string>;
  readonly default: Readonly<Record<Name, number>>;
  readonly defaultText: string;
}

/**
 * Returns the schema and the default of a variable that holds either one number for all names, or `name:number` for some of them. Names without a
 * number keep the default. `min` and `max` are inclusive.
 */
export function createNumbersByNameVariable<const Name extends string>(
  names: readonly Name[],
  [min, max]: readonly [number, number],
  defaultNumber: number,
): NumbersByNameVariable<Name> {
  const example = names.map((name) => `${name}:${defaultNumber}`).join(",");
  const allowed = `must be a whole number from ${min} to ${max}, or one for each name, such as ${example}`;
  const of = (numbers: ReadonlyMap<string, number>) =>
    Object.fromEntries(names.map((name) => [name, numbers.get(name) ?? defaultNumber])) as Record<Name, number>;
  const schema = z.string().transform((text, context) => {
    const numbers = new Map<string, number>();
    const entries = text.split(",").map((entry) => /^(?:([^\s:]+):)?(\d{1,15})$/.exec(entry.trim()));
    const isValid = entries.every((entry) => {
      if (entry === null) return false;
      const [, name, digits] = entry;
      const isForAll = name === undefined && entries.length === 1;
      const named = isForAll ? names : names.filter((each) => each === name && !numbers.has(each));
      for (const each of named) numbers.set(each, Number(digits));
      return named.length > 0 && Number(digits) >= min && Number(digits) <= max;
    });
    if (isValid) return of(numbers);
    context.addIssue(allowed);
    return z.NEVER;
  });
  return { schema, default: of(new Map()), defaultText: String(defaultNumber) };
}
