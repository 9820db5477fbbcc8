import { z } from "zod";
import { describeJsonPath } from "../../base/json-object.ts";
import { describeAllowedNames } from "../../query/nearest-name.ts";
import { quoteValue } from "./definition-rules.ts";

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a finite number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

export function describeShapeIssue(schema: z.ZodType, value: unknown, issue: Issue): readonly string[] {
  const place = issue.path.length === 0 ? "the definition" : describeJsonPath(issue.path);
  const found = valueAt(value, issue.path);
  return sentencesOf(schema, value, issue, found).map((sentence) =>
    sentence.startsWith(placeMark) ? sentence.slice(placeMark.length) : `${place}: ${sentence}`,
  );
}

/** Prefix of a sentence that already begins with the place of its issue, so that describeShapeIssue does not add the place again. */
const placeMark = "\0";

function sentencesOf(schema: z.ZodType, value: unknown, issue: Issue, found: unknown): readonly string[] {
  switch (issue.code) {
    case "unrecognized_keys":
      return describeUnknownFields(issue.keys, allowedKeysAt(schema, value, issue.path));
    case "invalid_key":
      return describeUnknownFields([String(issue.path.at(-1))], allowedKeysAt(schema, value, issue.path.slice(0, -1)));
    case "invalid_type":
      return [describeWrongType(found, typeNames[issue.expected] ?? "of another type")];
    case "invalid_value":
      return [describeWrongValue(found, issue.values.map(String))];
    case "invalid_union":
      return describeUnion(schema, value, issue, found);
    default:
      return [describeWrongType(found, "a function")];
  }
}

function describeUnknownFields(keys: readonly string[], allowed: readonly string[]): readonly string[] {
  return keys.map((key) => `there is no field ${quoteValue(key)}. ${describeAllowedNames(key, allowed)}`);
}

function describeWrongType(found: unknown, expected: string): string {
  return found === undefined
    ? `this field is missing. It must be ${expected}.`
    : `it is ${describeFound(found)}, and must be ${expected}.`;
}

function describeWrongValue(found: unknown, allowed: readonly string[]): string {
  if (found === undefined) return `this field is missing. Allowed: ${allowed.join(", ")}.`;
  const [only] = allowed;
  if (allowed.length === 1 && only === "true") return `it is ${describeFound(found)}, and must be true or left out.`;
  return typeof found === "string"
    ? `there is no value ${quoteValue(found)}. ${describeAllowedNames(found, allowed)}`
    : `it is ${describeFound(found)}. Allowed: ${allowed.join(", ")}.`;
}

function describeUnion(
  schema: z.ZodType,
  value: unknown,
  { path, errors }: Extract<Issue, { code: "invalid_union" }>,
  found: unknown,
): readonly string[] {
  const union = schemaAt(schema, value, path, { keepUnion: true });
  const parent = schemaAt(schema, value, path.slice(0, -1), { keepUnion: true });
  if (parent instanceof z.ZodDiscriminatedUnion) return [describeWrongValue(found, discriminatorValues(parent))];
  const inside = errors.filter((issues) =>
    issues.every((each) => each.path.length > 0 || each.code === "unrecognized_keys"),
  );
  const nearest = inside.toSorted((a, b) => unknownFields(a) - unknownFields(b) || a.length - b.length)[0];
  if (nearest === undefined || typeof found !== "object" || found === null)
    return [describeWrongType(found, [...new Set(expectedTypes(errors.flat()))].join(", or "))];
  const option = (union as z.ZodUnion).options[(errors as readonly unknown[]).indexOf(nearest)] as z.ZodType;
  return nearest.flatMap((each) => {
    const place = describeJsonPath([...path, ...each.path]);
    return sentencesOf(option, found, each, valueAt(found, each.path)).map((text) => `${placeMark}${place}: ${text}`);
  });
}

function expectedTypes(issues: readonly Issue[]): readonly string[] {
  return issues.flatMap((issue) => {
    if (issue.path.length > 0) return [];
    if (issue.code === "invalid_union") return expectedTypes(issue.errors.flat());
    return issue.code === "invalid_type" ? [typeNames[issue.expected] ?? "a value"] : [];
  });
}

function unknownFields(issues: readonly Issue[]): number {
  return issues.reduce((count, issue) => count + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
}

function discriminatorValues(union: z.ZodDiscriminatedUnion): readonly string[] {
  const { discriminator, options } = union.def;
  return options.flatMap((option) => {
    const { shape } = option as z.ZodObject;
    const field = shape[discriminator] as z.ZodLiteral | z.ZodEnum;
    return field instanceof z.ZodEnum ? field.options.map(String) : [...field.values].map(String);
  });
}

function allowedKeysAt(schema: z.ZodType, value: unknown, path: Path): readonly string[] {
  const found = schemaAt(schema, value, path);
  if (found instanceof z.ZodObject) return Object.keys(found.shape);
  return found instanceof z.ZodRecord && found.keyType instanceof z.ZodEnum ? found.keyType.options.map(String) : [];
}

function schemaAt(schema: z.ZodType, value: unknown, path: Path, { keepUnion = false } = {}): z.ZodType | undefined {
  let found: z.ZodType | undefined = unwrap(schema);
  let here = value;
  for (const step of path) {
    found = stepInto(chooseOption(found, here), step);
    here = valueAt(here, [step]);
  }
  return keepUnion ? found : chooseOption(found, here);
}

function stepInto(schema: z.ZodType | undefined, step: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return unwrap((schema.shape as Record<PropertyKey, z.ZodType>)[step]);
  if (schema instanceof z.ZodArray) return unwrap(schema.element as z.ZodType);
  return schema instanceof z.ZodRecord ? unwrap(schema.valueType as z.ZodType) : undefined;
}

function chooseOption(schema: z.ZodType | undefined, value: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator, options } = schema.def;
    const chosen = valueAt(value, [discriminator]);
    const option = options.find((each) => {
      const field = (each as z.ZodObject).shape[discriminator] as z.ZodType;
      return field.safeParse(chosen).success;
    });
    return (option as z.ZodType | undefined) ?? schema;
  }
  if (!(schema instanceof z.ZodUnion) || typeof value !== "object" || value === null) return schema;
  const keys = Object.keys(value);
  const unknownIn = (option: z.ZodObject): number => keys.filter((key) => !(key in option.shape)).length;
  const objects = schema.options.filter((option) => option instanceof z.ZodObject);
  return objects.toSorted((a, b) => unknownIn(a) - unknownIn(b))[0] ?? schema;
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (here, step) =>
      typeof here === "object" && here !== null ? (here as Record<PropertyKey, unknown>)[step] : undefined,
    value,
  );
}

function describeFound(found: unknown): string {
  if (found === null) return "null";
  if (Array.isArray(found)) return "a list";
  switch (typeof found) {
    case "string":
      return `the text ${quoteValue(found)}`;
    case "number":
    case "bigint":
    case "boolean":
      return String(found);
    default:
      return typeof found === "object" ? "an object" : `a ${typeof found}`;
  }
}
