import { z } from "zod";
import { choiceField } from "./report-choice-schemas.ts";
import { ruleErrorOption } from "../../record/field-rule.ts";
import { maxListedIssues } from "../../base/truncate-issues.ts";
import { describeAllowedNames } from "../../query/nearest-name.ts";

export interface OptionInputSchemas<Value> {
  readonly json: z.ZodType<Value>;
  readonly text: z.ZodType<Value>;
}

export function createOptionInputSchemas<Value>(json: z.ZodType<Value>): OptionInputSchemas<Value> {
  const isFlag: boolean = json instanceof z.ZodBoolean;
  if (!isFlag) return { json, text: json };
  const text = z
    .enum(["true", "false"], ruleErrorOption("must be true or false"))
    .meta({ description: json.description });
  return { json, text: text.transform((value) => (value === "true") as Value) };
}

/** Returns a schema of `names`. If these are `all` values of an enumeration, returns its named schema, so that OpenAPI refers to it by name. */
export function createAllowedChoiceSchema<Name extends string>(
  names: readonly Name[],
  all: readonly Name[] = [],
): z.ZodType<Name> {
  if (names.length === 0) return z.never("cannot be used with this report type");
  const values = names as unknown as readonly [Name, ...Name[]];
  return choiceField(names.length === all.length ? (all as typeof values) : values);
}

export function createKeyListSchemas(rule: {
  readonly description: string;
  readonly keys: readonly string[];
  readonly descending: boolean;
  readonly most: number;
  readonly key: { readonly id: string; readonly description: string };
}): OptionInputSchemas<string[]> {
  const { keys, descending, most, description } = rule;
  const bare = (key: string): string => (descending && key.startsWith("-") ? key.slice(1) : key);
  const key = z.enum(descending ? keys.flatMap((each) => [each, `-${each}`]) : keys).meta(rule.key);
  const list = z.array(key).min(1).max(most).meta({ description, uniqueItems: true });
  // Checks the list of column keys before `list` does, with better messages. `list` serves the OpenAPI description.
  const refuseWrong = (value: unknown, context: z.RefinementCtx, hasPlaces: boolean): unknown => {
    if (!Array.isArray(value) || value.length === 0)
      context.addIssue(`must be a list of one or more of ${keys.join(", ")}`);
    // The length is checked before the keys, because a list can be as long as a request may be.
    else if (value.length > most) context.addIssue(`takes at most ${most} columns, and ${value.length} were given`);
    else {
      const given = value.map((each) => (typeof each === "string" ? bare(each) : JSON.stringify(each)));
      const reported = new Set<string>();
      for (const [index, message] of findWrongKeys(given, keys)) {
        // In a query, problems have no location in the list, so equal messages are reported once.
        if (hasPlaces || !reported.has(message)) context.addIssue({ code: "custom", path: [index], message });
        reported.add(message);
      }
    }
    return value;
  };
  return {
    json: z.preprocess((value, context) => refuseWrong(value, context, true), list),
    text: z.preprocess(
      (value, context) => refuseWrong(typeof value === "string" ? value.split(",") : value, context, false),
      list.meta({ explode: false }),
    ),
  };
}

function findWrongKeys(given: readonly string[], keys: readonly string[]): ReadonlyMap<number, string> {
  const wrong = new Map<number, string>();
  for (const [index, key] of given.entries()) {
    if (!keys.includes(key)) {
      const unknown = `has no ${JSON.stringify(key.slice(0, 60))}.`;
      // Mistakes beyond the first maxListedIssues are only counted, so they need no suggestion.
      wrong.set(index, wrong.size < maxListedIssues ? `${unknown} ${describeAllowedNames(key, keys)}` : unknown);
    }
    if (keys.includes(key) && given.indexOf(key) < index) wrong.set(index, `names ${key} twice`);
  }
  return wrong;
}
