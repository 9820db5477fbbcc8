import type { Patch } from "./collection.ts";
import type { FilterValue } from "./wire/filter-value.ts";
import type { ReportSchedule, ReportScheduleInput } from "./wire/generated/report-schedule.ts";
import type { ReportFileStart, ReportStart } from "./wire/generated/report-start.ts";

/** The rows of a preview, which reads a report without starting it. It takes the options of a start; only `columns`, `sort` and `timezone` change the rows. docs/reference/resources/previews.md#previews. */
export interface RowsQuery extends Omit<ReportStart, "reportType"> {
  /** The number of rows, 1–100. Default: 20. */
  readonly limit?: number | undefined;
}

/** The parts of a report type's definition from which the compiler derives the types of requests. */
export interface TypedDefinition {
  readonly type: string;
  readonly columns: readonly { readonly key: string; readonly kind: string }[];
  readonly filters?: readonly TypedFilter[];
  readonly groupable?: readonly string[];
  readonly formats?: object;
  readonly rows?: object;
}

export interface TypedFilter {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly values?: readonly string[];
  readonly required?: boolean;
}

/**
 * The union of the definitions of the report types in `Types`, which is the type of a package's default export. `TypedDefinition` if `Types` is
 * unknown.
 */
type DefinitionOf<Types> = unknown extends Types
  ? TypedDefinition
  : Types extends { readonly given?: infer Entries }
    ? NonNullable<Entries> extends readonly { readonly definition: infer Definition extends TypedDefinition }[]
      ? Definition
      : never
    : never;

/** The names of the report types in `Types`. Any text if `Types` is unknown. */
export type ReportTypeName<Types> = DefinitionOf<Types>["type"];

type Named<Types, Name> = Extract<DefinitionOf<Types>, { readonly type: Name }>;
type ColumnOf<Definition extends TypedDefinition> = Definition["columns"][number];
type SortableKey<Column> = Column extends { readonly key: infer Key extends string; readonly kind: infer Kind }
  ? Kind extends "list"
    ? never
    : Key
  : never;
type GroupKey<Definition> = Definition extends { readonly groupable: readonly (infer Key)[] } ? Key : never;
type KnownFormat = "pdf" | "xlsx" | "csv" | "json" | "ndjson";
type FormatOf<Definition> = Definition extends { readonly formats: infer Formats } ? keyof Formats : KnownFormat;

interface OptionsOf<Definition extends TypedDefinition> extends Omit<
  ReportStart,
  "reportType" | "searchParam" | "format" | "columns" | "sort" | "groupBy"
> {
  readonly format?: FormatOf<Definition> | null | undefined;
  readonly columns?: readonly ColumnOf<Definition>["key"][] | null | undefined;
  readonly sort?:
    | readonly (SortableKey<ColumnOf<Definition>> | `-${SortableKey<ColumnOf<Definition>>}`)[]
    | null
    | undefined;
  readonly groupBy?: GroupKey<Definition> | null | undefined;
}

type ValueOf<Filter> = Filter extends { readonly value: "enum"; readonly values: readonly (infer Value)[] }
  ? Value
  : Filter extends { readonly value: "integer" }
    ? number
    : Filter extends { readonly value: "boolean" }
      ? boolean
      : Filter extends { readonly value: "text" | "timestamp" | "date" | "time" | "uuid" | "hostname" }
        ? string
        : Filter extends { readonly value: "decimal" }
          ? string | number
          : FilterValue;
type ValuesOf<Filter> = Filter extends { readonly operator: "in" | "notIn" | "has" | "suffix" | "serves" }
  ? ValueOf<Filter> | readonly ValueOf<Filter>[]
  : ValueOf<Filter>;
type DeclaredFilter<Definition> = Definition extends { readonly filters: readonly (infer Filter extends TypedFilter)[] }
  ? Filter
  : never;
type ParameterOf<Definition> = Definition extends {
  readonly rows: { readonly parameters: readonly (infer Parameter)[] };
}
  ? Parameter
  : never;
/** A parameter of a function that returns the rows, as a filter with one value. Without a default it is required. */
type ParameterFilter<Parameter> =
  Parameter extends Omit<TypedFilter, "operator">
    ? Parameter & { readonly operator: "parameter" } & (Parameter extends { readonly default: unknown }
          ? unknown
          : { readonly required: true })
    : never;
type FilterOf<Definition> = DeclaredFilter<Definition> | ParameterFilter<ParameterOf<Definition>>;
type RequiredFilter<Filter> = Filter extends { readonly required: true } ? Filter : never;
type OptionalFilter<Filter> = Filter extends { readonly required: true } ? never : Filter;
type FiltersOf<Filter extends TypedFilter> = {
  readonly [Each in RequiredFilter<Filter> as Each["name"]]: ValuesOf<Each>;
} & { readonly [Each in OptionalFilter<Filter> as Each["name"]]?: ValuesOf<Each> | null | undefined };
/** Changes of filters, in which null removes a filter. */
type FilterChangesOf<Filter extends TypedFilter> = {
  readonly [Each in Filter as Each["name"]]?: ValuesOf<Each> | null | undefined;
};
type SearchOf<Definition> = [RequiredFilter<FilterOf<Definition>>] extends [never]
  ? { readonly searchParam?: FiltersOf<FilterOf<Definition>> | string | null | undefined }
  : { readonly searchParam: FiltersOf<FilterOf<Definition>> | string };

type StartOf<Definition> = Definition extends TypedDefinition
  ? { readonly reportType: Definition["type"] } & SearchOf<Definition> & OptionsOf<Definition>
  : never;
type ScheduleOf<Definition> = Definition extends TypedDefinition
  ? Omit<ReportScheduleInput, "reportType" | "searchParam" | "options"> & {
      readonly reportType: Definition["type"];
      readonly options?: OptionsOf<Definition> | undefined;
    } & SearchOf<Definition>
  : never;
type QueryOf<Definition> = Definition extends TypedDefinition ? SearchOf<Definition> & OptionsOf<Definition> : never;

/** The options of reports of one type, which starts, schedules, previews and estimates take. */
export type ReportOptionsOf<Types, Name extends ReportTypeName<Types> = ReportTypeName<Types>> = unknown extends Types
  ? Omit<ReportStart, "reportType" | "searchParam">
  : Named<Types, Name> extends infer Definition extends TypedDefinition
    ? OptionsOf<Definition>
    : never;
/** The start of a report whose type is one of `Types`. */
export type ReportStartOf<Types> = unknown extends Types ? ReportStart : StartOf<DefinitionOf<Types>>;
/** The body that creates or replaces a schedule whose report type is one of `Types`. */
export type ReportScheduleInputOf<Types> = unknown extends Types
  ? ReportScheduleInput
  : ScheduleOf<DefinitionOf<Types>>;
/** The changes of a schedule whose reports have the type `Name`. `searchParam` and `options` are merged key by key. */
export type ReportSchedulePatchOf<Types, Name> = unknown extends Types
  ? Patch<ReportSchedule>
  : Named<Types, Name> extends infer Definition extends TypedDefinition
    ? Omit<Patch<ReportSchedule>, "reportType" | "searchParam" | "options"> & {
        readonly reportType?: Definition["type"] | undefined;
        readonly searchParam?: FilterChangesOf<FilterOf<Definition>> | null | undefined;
        readonly options?: OptionsOf<Definition> | null | undefined;
      }
    : never;
/** The filters and options of an estimate for a report of the type `Name`. */
export type EstimateQueryOf<Types, Name> = unknown extends Types
  ? Omit<ReportStart, "reportType">
  : QueryOf<Named<Types, Name>>;
/** The filters and options of a preview of the type `Name`, and its number of rows. */
export type RowsQueryOf<Types, Name> = unknown extends Types
  ? RowsQuery
  : QueryOf<Named<Types, Name>> & Pick<RowsQuery, "limit">;
/** The start of an additional format of a report of the type `Name`. */
export type ReportFileStartOf<Types, Name> = unknown extends Types
  ? ReportFileStart
  : Named<Types, Name> extends infer Definition extends TypedDefinition
    ? Omit<OptionsOf<Definition>, "format" | "sort" | "keepRows" | "title"> & { readonly format: FormatOf<Definition> }
    : never;
