import { z } from "zod";
import type { InputRules } from "./collection-input.ts";
import type { Field, Fields, InputOf, Named, Writing } from "./field.ts";

type AnswerShape<F extends Fields> = { [Name in keyof F]: F[Name]["answer"] };

type InputShape<F extends Fields> = {
  [Name in Named<F, "required" | "optional" | "kept">]: F[Name]["writing"] extends "required"
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

/** Everything that follows from the fields of a record. */
export interface RecordDefinition<F extends Fields> {
  readonly fields: F;
  /** One record in responses. */
  readonly answer: z.ZodObject<AnswerShape<F>, z.core.$strict>;
  /** A whole body, as POST and PUT take it. Kept fields come last. */
  readonly input: z.ZodObject<InputShape<F>, z.core.$strict>;
  /** A merge patch, for the documentation: null takes a field back to its default. */
  readonly patch: z.ZodObject<PatchShape<F>, z.core.$strict>;
  /** How bodies are read. */
  readonly rules: InputRules<InputOf<F>>;
}

/** Keeps what the first version of the API documents. New records need none of it. */
interface Shown {
  /** Bodies list required fields first, and not as they are declared. */
  readonly requiredFirst?: boolean;
  /** The description of a patch names the defaults of whole bodies. */
  readonly patchShowsDefaults?: boolean;
}

/** Derives the schemas and rules of a record from its fields. */
export function defineRecord<F extends Fields>(
  texts: { readonly id: string; readonly description: string },
  fields: F,
  { requiredFirst = false, patchShowsDefaults = false }: Shown = {},
): RecordDefinition<F> {
  const needed = requiredFirst ? namesOf(fields, "required") : [];
  const written = [...new Set([...needed, ...namesOf(fields, "required", "optional"), ...namesOf(fields, "kept")])];
  const input = shapeOf(fields, written, bodyField);
  const keptDefaults = namesOf(fields, "kept").map((name) => [name, fields[name]!.byDefault] as const);
  return {
    fields,
    answer: z.strictObject(shapeOf(fields, Object.keys(fields), ({ answer }) => answer)).meta(texts),
    input: z.strictObject(input),
    patch: z.strictObject(shapeOf(fields, written, (field) => patchField(field, patchShowsDefaults))),
    rules: {
      schema: z.strictObject(input),
      fields: written,
      serverFields: namesOf(fields, "server"),
      ignoredFields: namesOf(fields, "ignored", "computed"),
      observedFields: written.filter((name) => fields[name]!.isObserved),
      keptDefaults: Object.fromEntries(keptDefaults),
    },
    // Object.fromEntries forgets which name has which schema.
  } as unknown as RecordDefinition<F>;
}

function namesOf(fields: Fields, ...writings: readonly Writing[]): readonly string[] {
  return Object.keys(fields).filter((name) => writings.includes(fields[name]!.writing));
}

function shapeOf(fields: Fields, names: readonly string[], schemaOf: (field: Field) => z.ZodType) {
  return Object.fromEntries(names.map((name) => [name, schemaOf(fields[name]!)]));
}

/** The default belongs to whole bodies only: in a patch it would overwrite what is stored. */
function bodyField({ writing, given, byDefault }: Field): z.ZodType {
  if (writing === "required") return given;
  return writing === "kept" ? given.optional() : given.default(byDefault);
}

function patchField(field: Field, showsDefault: boolean): z.ZodType {
  const { writing, given } = field;
  const whole = showsDefault ? bodyField(field) : given;
  const hasNull = writing === "required" || given.safeParse(null).success;
  return (hasNull ? whole : whole.nullable()).optional();
}
