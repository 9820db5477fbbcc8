import { z } from "zod";
import { choiceField } from "./choice-field.ts";
import { allow } from "../collection/field-rule.ts";
import { suggestName } from "../query/nearest-name.ts";

/** An option in its two spellings: a value of JSON, and the text of a query that stands for it. Messages follow the option's name. */
export interface OptionField<Value> {
  readonly json: z.ZodType<Value>;
  readonly text: z.ZodType<Value>;
}

/** An option whose value is text in either spelling. */
export function spelledAlike<Value>(field: z.ZodType<Value>): OptionField<Value> {
  return { json: field, text: field };
}

/** `true` or `false`. */
export function flag(description: string): OptionField<boolean> {
  const must = allow("must be true or false");
  const text = z.enum(["true", "false"], must).meta({ description });
  return { json: z.boolean(must).meta({ description }), text: text.transform((value) => value === "true") };
}

/** One of the names, of which there may be none. Those that are `all` of a kind that clients know are described by its name. */
export function choices<Name extends string>(names: readonly Name[], all: readonly Name[] = []): z.ZodType<Name> {
  if (names.length === 0) return z.never("cannot be used with this report type");
  const values = names as unknown as readonly [Name, ...Name[]];
  return choiceField(names.length === all.length ? (all as typeof values) : values);
}

/** Keys of columns, none twice; in a query separated by commas. */
export function keyList(rule: {
  readonly description: string;
  readonly keys: readonly string[];
  /** Whether a key may have a `-` in front. */
  readonly descending: boolean;
  readonly most: number;
  readonly key: { readonly id: string; readonly description: string };
}): OptionField<string[]> {
  const { keys, descending, most, description } = rule;
  const bare = (key: string): string => (descending && key.startsWith("-") ? key.slice(1) : key);
  const key = z
    .enum(descending ? keys.flatMap((each) => [each, `-${each}`]) : keys, {
      error: ({ input }) => {
        const unknown = bare(String(input));
        return `has no ${JSON.stringify(unknown.slice(0, 60))}. ${suggestName(unknown, keys)}`;
      },
    })
    .meta(rule.key);
  const list = z
    .array(key)
    .min(1)
    .max(most)
    .refine((given) => new Set(given.map(bare)).size === given.length, "names a column twice")
    .meta({ description, uniqueItems: true });
  // Before any key is checked: a list may be as long as its request.
  const refuseShape = (value: unknown, context: z.RefinementCtx): unknown => {
    const isList = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
    if (!isList) context.addIssue(`must be a list of one or more of ${keys.join(", ")}`);
    else if (value.length > most) context.addIssue(`takes at most ${most} columns, and ${value.length} were given`);
    return value;
  };
  return {
    json: z.preprocess(refuseShape, list),
    text: z.preprocess(
      (value, context) => refuseShape(typeof value === "string" ? value.split(",") : value, context),
      list.meta({ explode: false }),
    ),
  };
}
