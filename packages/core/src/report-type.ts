// Exports for authors of report types. `@public` marks exports that no code of this repository uses, so that knip does not report them.

/** @public */
export { PermanentReportError, StoreUnavailableError } from "./base/errors.ts";
/** @public */
export { reportErrorCodes, type ReportErrorCode } from "./base/vocabulary.ts";
/** @public */
export { defineReportTypes, type ReportTypeEntry, type ReportTypes } from "./report/types/define-report-types.ts";
/** @public */
export type {
  CheckedReportType,
  AttentionInput,
  ColumnInput,
  NoSuchField,
  ReportTypeInput,
  SortInput,
  SummaryInput,
} from "./report/types/report-type-input.ts";
/** @public */
export type { FormatLimit, RegisteredReportType, ReportTypeDefinition } from "./report/types/type-definition.ts";
/** @public */
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
/** @public */
export { languages, type Language } from "./report/types/language.ts";
/** @public */
export type { TextsByLanguage, TypeTexts } from "./report/types/type-texts.ts";
/** @public */
export {
  columnAlignments,
  columnKinds,
  type ColumnAlignment,
  type ColumnKind,
  type NumberDisplay,
  type NumberTone,
  type ReportColumn,
} from "./report/types/column.ts";
/** @public */
export { reportFormats, type ReportFormat } from "./report/types/format.ts";
/** @public */
export { filterRows, selectRows, sortRows, type RowsInMemory } from "./report/types/memory-rows.ts";
/** @public */
export type { Filter, FilterOperator, FilterValue, FilterValueKind, SearchParam, TextForm } from "./query/filters.ts";
/** @public */
export type { SortKey } from "./query/sort-key.ts";
/** @public */
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
