// Exports for authors of report types. `@public` marks exports that only code outside of this repository may use.

/** @public Errors that a report's rows may throw. */
export { PermanentReportError, StoreUnavailableError } from "./base/errors.ts";
/** @public Errors that a report's rows may throw. */
export { reportErrorCodes, type ReportErrorCode } from "./base/vocabulary.ts";
/** @public What a package of report types exports by default. */
export { defineReportTypes, type ReportTypeEntry, type ReportTypes } from "./report/types/define-report-types.ts";
/** @public A definition as its author writes it. */
export type {
  CheckedReportType,
  AttentionInput,
  ColumnInput,
  NoSuchField,
  ReportTypeInput,
  SortInput,
  SummaryInput,
} from "./report/types/report-type-input.ts";
/** @public A definition with its defaults filled in. */
export type { FormatLimit, RegisteredReportType, ReportTypeDefinition } from "./report/types/type-definition.ts";
/** @public Where rows come from. */
export {
  viewColumnTypes,
  type ObjectRow,
  type ObjectRows,
  type ObjectRowsRequest,
  type RelationRows,
  type ReportRows,
  type RowsRequester,
  type ViewColumn,
  type ViewColumnType,
  type ViewParameter,
  type ViewRows,
} from "./report/types/row-source.ts";
/** @public Words in other languages. */
export { languages, type Language } from "./report/types/language.ts";
/** @public Words in other languages. */
export type { TextsByLanguage, TypeTexts } from "./report/types/type-texts.ts";
/** @public Columns. */
export {
  columnAlignments,
  columnKinds,
  type ColumnAlignment,
  type ColumnKind,
  type NumberDisplay,
  type NumberTone,
  type ReportColumn,
} from "./report/types/column.ts";
/** @public Formats. */
export { reportFormats, type ReportFormat } from "./report/types/format.ts";
/** @public Rows in memory, for object rows. */
export { filterRows, selectRows, sortRows, type RowsInMemory } from "./report/types/memory-rows.ts";
/** @public Filters and sorts. */
export type { Filter, FilterOperator, FilterValue, FilterValueKind, SearchParam, TextForm } from "./query/filters.ts";
/** @public Filters and sorts. */
export type { SortKey } from "./query/sort-key.ts";
/** @public Figures, charts and the attention list. */
export type {
  Aggregate,
  AttentionDefinition,
  ChartDefinition,
  ChartPart,
  ColumnAggregateKind,
  Condition,
  FigureDefinition,
  SummaryDefinition,
  Tone,
} from "./report/types/summary.ts";
