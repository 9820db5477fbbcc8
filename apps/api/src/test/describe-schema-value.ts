export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export type JsonSchemasByName = Readonly<Record<string, JsonSchema>>;

/** Longest enum whose values the documentation lists. For a longer one, it shows the name of the component. */
const maxListedValues = 30;

export function componentSchemasOf(document: object): JsonSchemasByName {
  return (document as { components: { schemas: JsonSchemasByName } }).components.schemas;
}

export function toReferencedSchemaName({ $ref }: JsonSchema): string | undefined {
  return $ref?.split("/").at(-1);
}

export function describeSchemaValue(
  schema: JsonSchema,
  schemas: JsonSchemasByName,
): { readonly value: string; meaning: string } {
  const name = toReferencedSchemaName(schema);
  const meaning = schema.description ?? (name === undefined ? undefined : schemas[name]?.description);
  const [only] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const of = only === undefined ? undefined : describeSchemaValue(only, schemas).meaning;
  const words = meaning ?? of ?? "";
  return {
    value: `${describeAllowedValues(schema, schemas)}${words.includes("characters") ? "" : describeLength(schema)}`,
    meaning: words,
  };
}

function describeAllowedValues(schema: JsonSchema, schemas: JsonSchemasByName): string {
  const name = toReferencedSchemaName(schema);
  if (name !== undefined) {
    const { enum: values, type } = schemas[name]!;
    if (values !== undefined && values.length <= maxListedValues) return formatChoices(values);
    return type === "object" || values !== undefined ? `\`${name}\`` : describeAllowedValues(schemas[name]!, schemas);
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => describeAllowedValues(each, schemas)).join(" or ");
  if (schema.enum !== undefined) return formatChoices(schema.enum);
  if (schema.const !== undefined) return formatChoices([schema.const]);
  return [schema.type ?? "any value"]
    .flat()
    .map((type) => describeType(type, schema, schemas))
    .join(" or ");
}

function describeLength({ minLength = 0, maxLength }: JsonSchema): string {
  return maxLength === undefined ? "" : ` of ${minLength} to ${maxLength} characters`;
}

function formatChoices(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(", ");
}

function describeType(type: string, schema: JsonSchema, schemas: JsonSchemasByName): string {
  const { items, format, minimum, maximum } = schema;
  if (type === "array") return items === undefined ? "list" : `list of ${describeAllowedValues(items, schemas)}`;
  if (type === "boolean") return "`true`, `false`";
  if (type === "string") return { "date-time": "time", uuid: "UUID" }[format ?? ""] ?? "text";
  if (type !== "integer" && type !== "number") return type;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
  return `${type}${minimum === undefined || minimum < 0 ? "" : ` from ${minimum}${most}`}`;
}
