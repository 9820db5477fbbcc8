import { z } from "zod";

/** Decides who sets a field, and the field's value if a body omits it. */
export type FieldWriteMode =
  /** POST and PUT must contain the field. */
  | "required"
  /** A POST or PUT that omits the field, and a PATCH with null, set the field to its default. */
  | "optional"
  /** As "optional", but a PUT that omits the field keeps the stored value. */
  | "kept"
  /** Only the server sets the field. A body may repeat the stored value. Any other value is refused with 422. */
  | "server"
  /** The service can change the field at any time. Its value in a body is ignored. */
  | "ignored"
  /** Responses contain the field, but the record does not. Its value in a body is ignored. */
  | "computed";

export interface FieldKind<Given extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> {
  /** Schema of the field's value in a body, without a default. Parsing returns the value in the form in which the record is stored. */
  readonly given: Given;
  readonly answer: Answer;
}

export interface Field<
  Given extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  W extends FieldWriteMode = FieldWriteMode,
> extends FieldKind<Given, Answer> {
  readonly writing: W;
  readonly byDefault?: z.output<Given>;
  /** Set if probes write the field. A replacement (PUT) leaves it unchanged. */
  readonly isObserved?: true;
  readonly shown?: FieldDisplay;
}

export interface FieldDisplay {
  /** Title of the field in reports and forms. Default: the words of its name. */
  readonly title?: string;
  readonly titles?: Readonly<Record<string, string>>;
  readonly meanings?: Readonly<Record<string, string>>;
  /** Tone of each value, the worst first. */
  readonly tones?: Readonly<Record<string, "good" | "warn" | "bad" | "muted">>;
}

export type Fields = Readonly<Record<string, Field>>;

export interface FieldDescriptions {
  readonly about?: string | undefined;
  /** Description of the field in request bodies. Default: the rule of the field's kind, such as "Must be an integer …", or else `about`. */
  readonly aboutGiven?: string | undefined;
}

export interface FieldTexts extends FieldDescriptions, FieldDisplay {}

export type FieldNames<F extends Fields, W extends FieldWriteMode> = {
  [Name in keyof F]: F[Name]["writing"] extends W ? Name : never;
}[keyof F];

export type RecordOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, FieldNames<F, "computed">>]: ReadonlyItems<z.output<F[Name]["given"]>>;
};

export type DefaultsOf<F extends Fields> = Pick<
  RecordOf<F>,
  Extract<FieldNames<F, "optional" | "kept">, keyof RecordOf<F>>
>;

type ReadonlyItems<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

export type InputOf<F extends Fields> = {
  readonly [Name in FieldNames<F, "required" | "optional" | "kept">]: z.output<F[Name]["given"]>;
};

export function selectFieldDefaults<F extends Fields>(fields: F): DefaultsOf<F> {
  const withDefault = Object.entries(fields).filter(([, { writing }]) => writing === "optional" || writing === "kept");
  return Object.fromEntries(withDefault.map(([name, { byDefault }]) => [name, byDefault])) as DefaultsOf<F>;
}

export function fieldTitleOf(name: string, { shown }: Pick<Field, "shown">): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return shown?.title ?? `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

export function storedFieldNames<F extends Fields>({ fields }: { readonly fields: F }) {
  const names = Object.keys(fields) as (keyof RecordOf<F> & string)[];
  return names.filter((name) => fields[name]!.writing !== "computed");
}

export const required = createFieldFactory("required");
export const serverSetField = createFieldFactory("server");
export const ignoredField = createFieldFactory("ignored");

export function optionalField<G extends z.ZodType, A extends z.ZodType>(
  kind: FieldKind<G, A>,
  byDefault: z.output<NoInfer<G>>,
  texts: FieldTexts = {},
) {
  return { ...createField(kind, "optional", texts), byDefault };
}

export function optionalNullableField<G extends z.ZodType, A extends z.ZodType>(
  kind: FieldKind<G, A>,
  texts: FieldTexts = {},
) {
  return { ...createField(nullable(kind), "optional", texts), byDefault: null };
}

export function keptField<G extends z.ZodType, A extends z.ZodType>(
  kind: FieldKind<G, A>,
  byDefault: z.output<NoInfer<G>>,
) {
  return { ...createField(kind, "kept", {}), byDefault };
}

export function observedField<F extends Field>(one: F): F & { readonly isObserved: true } {
  return { ...one, isObserved: true };
}

export function computedField<A extends z.ZodType>(answer: A, texts: FieldTexts = {}) {
  return createField({ given: z.never(), answer }, "computed", texts);
}

export function addKindDescriptions<G extends z.ZodType, A extends z.ZodType>(
  { given, answer }: FieldKind<G, A>,
  { about, aboutGiven = hasDescription(given) ? undefined : about }: FieldDescriptions,
): FieldKind<G, A> {
  return { given: describeSchema(given, aboutGiven), answer: describeSchema(answer, about) };
}

export function nullable<G extends z.ZodType, A extends z.ZodType>({ given, answer }: FieldKind<G, A>) {
  return { given: given.nullable(), answer: answer.nullable() } as const;
}

function createFieldFactory<W extends FieldWriteMode>(writing: W) {
  return <G extends z.ZodType, A extends z.ZodType>(kind: FieldKind<G, A>, texts: FieldTexts = {}) =>
    createField(kind, writing, texts);
}

function createField<G extends z.ZodType, A extends z.ZodType, W extends FieldWriteMode>(
  kind: FieldKind<G, A>,
  writing: W,
  { about, aboutGiven, ...shown }: FieldTexts,
): Field<G, A, W> {
  return { ...addKindDescriptions(kind, { about, aboutGiven }), writing, shown };
}

function describeSchema<S extends z.ZodType>(schema: S, description: string | undefined): S {
  return description === undefined ? schema : schema.meta({ description });
}

function hasDescription(schema: z.ZodType): boolean {
  if (schema.description !== undefined) return true;
  if (schema instanceof z.ZodNullable) return hasDescription(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe && hasDescription(schema.in as z.ZodType);
}
