import { z } from "zod";
import { formatTextList } from "../../base/text-list.ts";
import { choiceField } from "./report-choice-schemas.ts";
import {
  createAllowedChoiceSchema,
  createKeyListSchemas,
  createOptionInputSchemas,
  type OptionInputSchemas,
} from "./option-input-schemas.ts";
import { compressibleFormats, compressions, isCompressible, reportFormats, type ReportFormat } from "./format.ts";
import { defaultLanguage, languages, type Language } from "./language.ts";
import { localeKind, createTitleSchema } from "./option-texts.ts";
import { sameSchemaKind, booleanKind, timezone } from "../../record/field-kinds.ts";
import { addKindDescriptions, nullable, type FieldDescriptions, type FieldKind } from "../../record/field.ts";
import { orientations, papers } from "./page.ts";
import { formerNamesOf } from "./former-names.ts";
import { textsOf } from "./translate-definition.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

export const maxSortKeys = 5;

/** Allowed values of the options that differ between report types. They are those of one type, or of all, because OpenAPI parameters are independent. */
export interface OptionChoices {
  readonly formats: readonly ReportFormat[];
  readonly columns: readonly string[];
  readonly sortable: readonly string[];
  readonly groupable: readonly string[];
  readonly former: string;
  readonly of: string;
  readonly names: { readonly column: string; readonly sort: string; readonly group?: string };
}

export interface FormatAndLanguage {
  readonly format: ReportFormat;
  readonly language: Language;
}

interface OptionDeclaration<Stored extends z.ZodType> {
  /** Schema of the value in the record. A new option needs `.default(…)`, because older records lack it. */
  readonly stored: Stored;
  readonly given: (choices: OptionChoices) => OptionInputSchemas<z.output<Stored>>;
  readonly byDefault: (definition: ReportTypeDefinition, chosen: FormatAndLanguage) => z.output<Stored>;
}

const storedOptions = {
  format: declareOption({
    stored: choiceField(reportFormats),
    given: ({ formats }) =>
      createOptionInputSchemas(
        createAllowedChoiceSchema(formats, reportFormats).meta({
          description: "Format of the file; pdf where the type has it.",
        }),
      ),
    byDefault: (definition) => selectDefaultFormat(definition),
  }),
  csvBom: plainOption(booleanKind(), true, {
    about: "Whether csv begins with a byte order mark.",
    aboutGiven: "Whether csv begins with a byte order mark; true by default.",
  }),
  compression: plainOption(sameSchemaKind(choiceField(compressions)), "none", {
    aboutGiven: `Compression of ${formatTextList(compressibleFormats)}; none by default.`,
  }),
  columns: declareOption({
    stored: z.array(z.string()).meta({ description: "Keys of the columns, in their order." }),
    given: ({ columns, of, former, names }) =>
      createKeyListSchemas({
        description: "Keys of the columns to show, in their order; by default all, in a pdf those of pdfColumns.",
        keys: columns,
        descending: false,
        most: columns.length,
        key: { id: names.column, description: `Key of a column${of}.${former}` },
      }),
    byDefault: ({ columns, pdfColumns }, { format }) =>
      format === "pdf" ? [...pdfColumns] : columns.map(({ key }) => key),
  }),
  sort: declareOption({
    stored: z.array(z.string()).meta({ description: "Keys of columns, - in front for descending." }),
    given: ({ sortable, of, names }) =>
      createKeyListSchemas({
        description: "Keys of columns to sort by, - in front for descending.",
        keys: sortable,
        descending: true,
        most: maxSortKeys,
        key: { id: names.sort, description: `Key of a column${of}; - in front for descending.` },
      }),
    byDefault: ({ defaultSort }) => defaultSort.map(({ key, descending }) => (descending ? `-${key}` : key)),
  }),
  groupBy: declareOption({
    stored: z.string().nullable().meta({ description: "Key of the column by which rows are grouped." }),
    given: ({ groupable, names }) => {
      const key = createAllowedChoiceSchema(groupable);
      const id = { id: names.group, description: "Key of a column by which rows can be grouped." };
      return createOptionInputSchemas(
        (names.group === undefined ? key : key.meta(id)).meta({
          description:
            "Key of the column by which rows are grouped: a pdf shows each group under a heading; in the other formats the rows are sorted by it first, and a warning says so.",
        }),
      );
    },
    byDefault: () => null,
  }),
  timezone: plainOption(timezone(), "UTC", {
    about: "IANA time zone of the times in the file.",
    aboutGiven: "IANA time zone of the times in the file; UTC by default.",
  }),
  locale: declareOption({
    ...plainOption(localeKind(), defaultLanguage, {
      about: "Language tag (BCP 47): how pdf writes dates and numbers, and xlsx dates.",
      aboutGiven:
        "Language tag (BCP 47); the language by default. Decides how pdf writes dates and numbers, and how xlsx writes dates and the numbers within its texts. The reader's program decides how the numbers of xlsx cells are shown. Names of months have the language. csv, json and ndjson are the same in every locale.",
    }),
    byDefault: (_, { language }) => language,
  }),
  language: laterOption(sameSchemaKind(choiceField(languages)), defaultLanguage, {
    about: "Language of the words in pdf and xlsx.",
    aboutGiven:
      "Language of the words in pdf and xlsx; en by default. Words that the report type does not translate stay English. csv, json and ndjson are the same in every language.",
  }),
  paper: laterOption(sameSchemaKind(choiceField(papers)), "A4", {
    about: "Paper of a pdf, and on which an xlsx is printed.",
    aboutGiven: "Paper of a pdf, and on which an xlsx is printed; A4 by default.",
  }),
  orientation: laterOption(sameSchemaKind(choiceField(orientations)), "auto", {
    about: "Which way round the pages of a pdf are.",
    aboutGiven: "Which way round the pages of a pdf are; auto, the default, is portrait where the columns fit.",
  }),
  accessible: laterOption({ given: booleanKind().given, answer: nullable(booleanKind()).answer }, null, {
    about: "Whether a pdf is tagged; null where that depends on its number of rows.",
    aboutGiven:
      "Whether a pdf is tagged (PDF/UA-1, PDF/A-2a); by default up to taggedMaxRows rows, else it is PDF/A-2u.",
  }),
  keepRows: laterOption(booleanKind(), false, {
    about: "Whether a row snapshot is stored with the file, so that additional formats can be made from it.",
    aboutGiven:
      "Whether a row snapshot is stored with the file, so that additional formats can be made from it; false by default.",
  }),
};

/** All options of a start, in stored order. Parsing, defaults and documentation follow from this table. */
export const startOptionDeclarations = {
  ...storedOptions,
  title: declareOption({
    stored: z.string().meta({ description: "The title in the file." }),
    given: () =>
      createOptionInputSchemas(createTitleSchema("Title of the report; that of the type in the language by default.")),
    byDefault: (definition, { language }) => textsOf(definition, language).title ?? definition.title,
  }),
};

type StoredValues<Options extends Readonly<Record<string, OptionDeclaration<z.ZodType>>>> = {
  readonly [Name in keyof Options]: Readonly<z.output<Options[Name]["stored"]>>;
};

export type RequestedOptions = StoredValues<typeof startOptionDeclarations>;

/** Options of a report as they are stored, with every default filled in. */
export type ReportOptions = StoredValues<typeof storedOptions>;

type StoredFields = { readonly [Name in keyof typeof storedOptions]: (typeof storedOptions)[Name]["stored"] };

export const storedOptionFields = Object.fromEntries(
  Object.entries(storedOptions).map(([name, { stored: field }]) => [name, field]),
) as StoredFields;

export const reportOptionsSchema: z.ZodType<ReportOptions> = z.object(storedOptionFields);

/** Returns the names of stored options that this version does not know, because a later version wrote them. */
export function findUnknownOptions(options: object): readonly string[] {
  return Object.keys(options).filter((name) => !Object.hasOwn(storedOptions, name));
}

const laterDefaults = new Map(
  Object.entries(storedOptions).flatMap(([name, { stored: field }]) => {
    const read = field.safeParse(undefined);
    return read.success ? [[name, read.data] as const] : [];
  }),
);

/** Returns the options to hash. Leaves out later options that have their default, so that hashes of earlier versions stay valid. */
export function selectHashedOptions(options: ReportOptions): Readonly<Record<string, unknown>> {
  const written = Object.entries(options).filter(
    ([name, value]) => !laterDefaults.has(name) || laterDefaults.get(name) !== value,
  );
  return Object.fromEntries(written);
}

export function findOptionConflict(
  definition: ReportTypeDefinition,
  { format: given, compression }: Partial<Readonly<Record<keyof RequestedOptions, unknown>>>,
): { readonly option: keyof RequestedOptions; readonly message: string } | null {
  const format = isOneOf(reportFormats, given) && definition.formats[given] ? given : selectDefaultFormat(definition);
  if (compression === "none" || !isOneOf(compressions, compression) || isCompressible(format)) return null;
  const message = `must be none for ${format}, which is compressed already; gzip and zstd are for ${compressibleFormats.join(", ")}`;
  return { option: "compression", message };
}

export function optionChoicesOf(definition: ReportTypeDefinition): OptionChoices {
  const name = toSchemaNamePrefix(definition);
  return {
    ...allowedNamesIn([definition]),
    of: ` of ${definition.type}`,
    former: describeFormerKeys(definition),
    names: { column: `${name}ReportColumn`, sort: `${name}ReportSort` },
  };
}

export function optionChoicesOfAll(definitions: readonly ReportTypeDefinition[]): OptionChoices {
  const names = { column: "ReportColumnKey", sort: "ReportSortKey", group: "ReportGroupKey" };
  return { ...allowedNamesIn(definitions), former: "", of: "", names };
}

function describeFormerKeys(definition: ReportTypeDefinition): string {
  const former = Object.entries(formerNamesOf(definition).columns).map(([old, key]) => `${old} (now ${key})`);
  return former.length === 0 ? "" : ` Former keys, which are deprecated: ${former.join(", ")}.`;
}

export function toSchemaNamePrefix({ type }: Pick<ReportTypeDefinition, "type">): string {
  return type
    .split("_")
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join("");
}

function allowedNamesIn(
  definitions: readonly ReportTypeDefinition[],
): Pick<OptionChoices, "formats" | "columns" | "sortable" | "groupable"> {
  const union = <T>(valuesOf: (definition: ReportTypeDefinition) => readonly T[]): readonly T[] => [
    ...new Set(definitions.flatMap(valuesOf)),
  ];
  return {
    formats: union(({ formats }) => Object.keys(formats) as ReportFormat[]),
    columns: union(({ columns }) => columns.map(({ key }) => key)),
    sortable: union(({ columns }) => columns.filter(({ kind }) => kind !== "list").map(({ key }) => key)),
    groupable: union(({ groupable }) => groupable),
  };
}

export function selectDefaultFormat({ formats }: ReportTypeDefinition): ReportFormat {
  const own = Object.keys(formats) as ReportFormat[];
  return own.includes("pdf") ? "pdf" : own[0]!;
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return (values as readonly unknown[]).includes(value);
}

function declareOption<Stored extends z.ZodType>(one: OptionDeclaration<Stored>): OptionDeclaration<Stored> {
  return one;
}

function plainOption<A extends z.ZodType>(
  kind: FieldKind<z.ZodType<z.output<A>>, A>,
  byDefault: z.output<A>,
  texts: FieldDescriptions,
): OptionDeclaration<A> {
  const { given, answer } = addKindDescriptions(kind, texts);
  return { stored: answer, given: () => createOptionInputSchemas(given), byDefault: () => byDefault };
}

/** Returns an option that was added later, so that older records lack it. These records are read with its fixed default. */
function laterOption<A extends z.ZodType>(
  kind: FieldKind<z.ZodType<z.output<A>>, A>,
  byDefault: z.output<A>,
  texts: FieldDescriptions,
): OptionDeclaration<z.ZodDefault<A>> {
  const { given, stored } = plainOption(kind, byDefault, texts);
  return { stored: stored.default(byDefault as never), given, byDefault: () => byDefault } as OptionDeclaration<
    z.ZodDefault<A>
  >;
}
