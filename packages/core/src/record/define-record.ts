import { z } from "zod";
import type { RecordInputRules } from "./collection-input.ts";
import type { Field, Fields, InputOf, FieldNames, FieldWriteMode } from "./field.ts";

type ResponseShape<F extends Fields> = { [Name in keyof F]: F[Name]["answer"] };

type InputShape<F extends Fields> = {
  [Name in FieldNames<F, "required" | "optional" | "kept">]: F[Name]["writing"] extends "required"
    ? F[Name]["given"]
    : F[Name]["writing"] extends "optional"
      ? z.ZodDefault<F[Name]["given"]>
      : z.ZodOptional<F[Name]["given"]>;
};

type PatchShape<F extends Fields> = {
  [Name in keyof InputShape<F>]: z.ZodOptional<
    F[Name]["writing"] extends "required" ? F[Name]["given"] : z.ZodNullable<F[Name]["given"]>
  >;
};

export interface RecordDefinition<F extends Fields> {
  readonly fields: F;
  readonly answer: z.ZodObject<ResponseShape<F>, z.core.$strict>;
  readonly input: z.ZodObject<InputShape<F>, z.core.$strict>;
  readonly patch: z.ZodObject<PatchShape<F>, z.core.$strict>;
  readonly rules: RecordInputRules<InputOf<F>>;
}

/** Options that keep the OpenAPI schemas of earlier record definitions unchanged. New definitions don't need them. */
interface SchemaOptions {
  readonly requiredFirst?: boolean;
  readonly patchShowsDefaults?: boolean;
}

export function defineRecord<F extends Fields>(
  texts: { readonly id: string; readonly description: string },
  fields: F,
  { requiredFirst = false, patchShowsDefaults = false }: SchemaOptions = {},
): RecordDefinition<F> {
  const needed = requiredFirst ? fieldNamesOf(fields, "required") : [];
  const written = [
    ...new Set([...needed, ...fieldNamesOf(fields, "required", "optional"), ...fieldNamesOf(fields, "kept")]),
  ];
  const input = shapeOf(fields, written, bodyFieldSchema);
  const keptDefaults = fieldNamesOf(fields, "kept").map((name) => [name, fields[name]!.byDefault] as const);
  return {
    fields,
    answer: z.strictObject(shapeOf(fields, Object.keys(fields), ({ answer }) => answer)).meta(texts),
    input: z.strictObject(input),
    patch: z.strictObject(shapeOf(fields, written, (field) => patchFieldSchema(field, patchShowsDefaults))),
    rules: {
      schema: z.strictObject(input),
      fields: written,
      serverFields: fieldNamesOf(fields, "server"),
      ignoredFields: fieldNamesOf(fields, "ignored", "computed"),
      observedFields: written.filter((name) => fields[name]!.isObserved),
      keptDefaults: Object.fromEntries(keptDefaults),
    },
  } as unknown as RecordDefinition<F>;
}

function fieldNamesOf(fields: Fields, ...writings: readonly FieldWriteMode[]): readonly string[] {
  return Object.keys(fields).filter((name) => writings.includes(fields[name]!.writing));
}

function shapeOf(fields: Fields, names: readonly string[], schemaOf: (field: Field) => z.ZodType) {
  return Object.fromEntries(names.map((name) => [name, schemaOf(fields[name]!)]));
}

/** Returns the schema of a field in a complete body. A field of mode `kept` has no default, because a default would replace the stored value. */
function bodyFieldSchema({ writing, given, byDefault }: Field): z.ZodType {
  if (writing === "required") return given;
  return writing === "kept" ? given.optional() : given.default(byDefault);
}

function patchFieldSchema(field: Field, showsDefault: boolean): z.ZodType {
  const { writing, given } = field;
  const whole = showsDefault ? bodyFieldSchema(field) : given;
  const hasNull = writing === "required" || given.safeParse(null).success;
  return (hasNull ? whole : whole.nullable()).optional();
}
