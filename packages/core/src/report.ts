// Exports of `@reports/core/report`. `@public` marks exports that no code of this repository uses.

export { authorityRule, isAuthority } from "./report/types/authority.ts";
export { createCatalogue, type ReportCatalogue } from "./report/types/catalogue.ts";
export {
  createFilterValueCache,
  refuseUnknownValues,
  type FilterValueLookup,
  type ReadFilterValues,
} from "./report/request/filter-value-lookup.ts";
export { createValueToneSelector } from "./report/types/value-tone.ts";
export { parseBarValues, parseOmittedValue } from "./report/types/chart-value.ts";
export type { ColumnKind, NumberDisplay, NumberTone, ReportColumn } from "./report/types/column.ts";
export {
  addExact,
  compareExact,
  divideExact,
  formatExactNumber,
  multiplyExact,
  parseExactNumber,
  roundExact,
  withoutExponent,
  type ExactNumber,
} from "./report/types/exact-number.ts";
export {
  compressions,
  fileExtension,
  formatProperties,
  mediaTypeOf,
  reportFormats,
  type Compression,
  type ReportFormat,
} from "./report/types/format.ts";
export { toCurrentName, formerNamesOf, withCurrentNames } from "./report/types/former-names.ts";
export { createJsonRowConverter } from "./report/types/json-row.ts";
export { languages, type Language } from "./report/types/language.ts";
export type { ObjectCell } from "./report/types/object-cell.ts";
export { readFirstObjectRows } from "./report/request/preview-objects.ts";
export { toCoveringWildcard } from "./report/types/filter-predicate.ts";
export { cellToText, createObjectRowReader, type ObjectRowCells } from "./report/types/object-reader.ts";
export { createConditionPredicate } from "./report/types/row-condition.ts";
export {
  optionChoicesOf,
  optionChoicesOfAll,
  reportOptionsSchema,
  startOptionDeclarations,
  toSchemaNamePrefix,
  findUnknownOptions,
  type OptionChoices,
  type ReportOptions,
} from "./report/types/options.ts";
export { toOmittedLabel, parseOmittedLabel, toTitleInSentence } from "./report/types/omitted-label.ts";
export {
  createFigure,
  selectAggregateDisplay,
  toFigureDisplay,
  toSingularUnit,
  type FigureDisplay,
} from "./report/types/number-display.ts";
export type { Paper } from "./report/types/page.ts";
/** @public */
export { readReportTypes, type ReadReportTypes } from "./report/types/read-report-types.ts";
export {
  mainReportSource,
  reportSourceEngines,
  sourceNameOf,
  type ReportSourceEngine,
  type ReportSources,
  type ReportSourceSettings,
} from "./report/types/report-sources.ts";
export { isNumericKind } from "./report/types/logical-columns.ts";
export { compareCells, createRowComparator, type RowWithCells } from "./report/types/row-order.ts";
export type { RowRequest, RowSourceReader } from "./report/types/row-source-reader.ts";
export type { QueryPlanAccess, QueryPlanReader, QueryPlan } from "./report/types/row-plan.ts";
export type { ObjectRow, ViewParameter } from "./report/types/row-source.ts";
export { toParameterSqlType } from "./report/types/view-parameter.ts";
/** @public */
export {
  viewColumnTypes,
  type ObjectRows,
  type ObjectRowsRequest,
  type RelationRows,
  type RowsRequester,
  type ViewColumn,
  type ViewColumnType,
  type ViewRows,
} from "./report/types/row-source.ts";
export type { FoldedRowStream, RowStream } from "./report/types/row-stream.ts";
export {
  findAggregateColumns,
  findSummaryColumns,
  isAdditiveAggregate,
  isCountAggregate,
  type Aggregate,
  type AttentionList,
  type AttentionDefinition,
  type Chart,
  type ChartDefinition,
  type ColumnAggregateKind,
  type Condition,
  type Figure,
  type FigureDefinition,
  type ReportSummary,
  type Tone,
} from "./report/types/summary.ts";
export {
  textsOf,
  translateColumns,
  translateDefinition,
  translateSummary,
} from "./report/types/translate-definition.ts";
export type { RegisteredReportType, ReportTypeDefinition } from "./report/types/type-definition.ts";
export type { ReportWarning } from "./report/types/warning.ts";

export { estimateReport } from "./report/request/estimate-report.ts";
export { omitColumnsAddedAfter } from "./report/types/omit-columns-added-after.ts";
export { renditionOptionsFromBody, renditionOptionNames } from "./report/request/rendition-input.ts";
export { readLinkLifetimeSeconds } from "./report/request/link-input.ts";
export {
  estimateInputFromQuery,
  estimateRefusedMessage,
  previewInputFromQuery,
  previewOptionNames,
  previewRefusedMessage,
  previewRowLimits,
} from "./report/request/preview-input.ts";
export {
  readPreview,
  type PreviewReader,
  type PreviewCellTexts,
  type PreviewRequestWithRequester,
  type FormatThroughput,
  type FormatThroughputRequest,
  type ReportPreviewReader,
  type RowCountEstimate,
} from "./report/request/preview.ts";
export { reportListFilters, reportSortFields } from "./report/request/report-list-filters.ts";
export { startInputFromBody, startInputFromQuery, type StartInput } from "./report/request/start-input.ts";

export { changeReport, removeReport, reportPatchSchema, type ReportChange } from "./report/lifecycle/change-report.ts";
export {
  createDownloadLink,
  openLinkedFile,
  downloadLinkNotFoundError,
  type CreateDownloadLinkDeps,
  type DownloadLinkStore,
  type DownloadLinkFilter,
  type OpenLinkedFileDeps,
} from "./report/lifecycle/download-link.ts";
export { downloadLinkRecord } from "./report/lifecycle/download-link-record.ts";
export { parseIdempotencyKey, type OnceClaim, type OnceKey } from "./report/lifecycle/idempotency.ts";
export {
  rowSnapshotContentType,
  rowSnapshotExtension,
  type RowSnapshot,
  type RowSnapshotHeader,
  type NewRowSnapshot,
} from "./report/lifecycle/row-snapshot.ts";
export {
  createWaitCappedLoadReader,
  overloadLimitsOf,
  findOverloadReason,
  type LimitByLane,
  type LaneLoad,
  type OverloadLimits,
  type QueueLoad,
} from "./report/lifecycle/lane-load.ts";
export { chooseInitialReportLane } from "./report/lifecycle/lane.ts";
export type { DownloadLinkThrottle } from "./report/lifecycle/download-link-throttle.ts";
export {
  reportFileNotFoundError,
  findReport,
  openFinishedFileOrThrow,
  openReport,
  openReportFile,
  assertReportNotDeleted,
  reportNotFoundError,
  type OpenDeps,
  type OpenedReport,
} from "./report/lifecycle/open-report.ts";
export type { Report, ReportEvent } from "./report/lifecycle/report-record.ts";
export type {
  Claim,
  ClaimTerms,
  NewReport,
  QueuedReport,
  ReportCompletion,
  ReportLists,
  ReportStore,
} from "./report/lifecycle/report-store.ts";
export type { RequeueHistory, WorkerRefusal } from "./report/lifecycle/requeue-history.ts";
export { applyRetention, type RetentionOutcome, type RetentionStore } from "./report/lifecycle/retention.ts";
export { maxRenditionsPerReport, startRendition } from "./report/lifecycle/start-rendition.ts";
export { defaultStartLimits, unlimitedStarts, type StartLimits } from "./report/lifecycle/start-limits.ts";
export { startReport, unguardedStarts, type StartDeps } from "./report/lifecycle/start-report.ts";
export { isTerminal, retryAfterSeconds } from "./report/lifecycle/states.ts";
export {
  isReportVisible,
  reportVisibilities,
  type ReportVisibility,
  type DeliveryVisibilityFilter,
  type VisibleReports,
} from "./report/lifecycle/visibility.ts";
export {
  followReport,
  isLast,
  waitForReport,
  type ReportChangeListener,
  type ReportChangeFeed,
  type ReportNews,
  type ReportWatch,
  type ReportWatches,
  type WaitOutcome,
} from "./report/lifecycle/watch-report.ts";

export type { SuspiciousFileRecorder, FileDamageStore, PublishedFile } from "./report/files/confirm-file-damage.ts";
export type { NamedFile, ReconciliationStore, ReportIdRange } from "./report/files/reconciliation-store.ts";
export { mismatchedProperties, createVerifiedStream, type FileMismatch } from "./report/files/file-mismatch.ts";
export {
  removalReasons,
  removeDueFiles,
  type FileRemovalDeps,
  type FileRemovals,
  type RemovalReason,
} from "./report/files/file-removal.ts";
export { planReconciliation, type PlannedReconcileStep } from "./report/files/plan-reconciliation.ts";
export {
  reconcileFiles,
  type ReconcileDeps,
  type ReconcileLimits,
  type ReconcileOutcome,
} from "./report/files/reconcile.ts";
export { runReconcileRound, type ReconcileRound, type ReconcileRoundLimits } from "./report/files/reconcile-round.ts";
export type { ReportFile } from "./report/files/report-file.ts";
export { reportIdOfStorageKey } from "./report/files/storage-key.ts";
export {
  verifySuspiciousFiles,
  verifyFiles,
  type PublishedFileReader,
  type VerifyFilesDeps,
  type VerifyFilesLimits,
  type VerifyFilesOutcome,
} from "./report/files/verify-files.ts";

export type { RunOutcome } from "./report/run/end-failed-attempt.ts";
export { toFileName } from "./report/run/file-name.ts";
export {
  findServedTypeVersions,
  type RequeuedReportCount,
  type HostState,
  type TypeAvailability,
  type ReportTypeUsability,
  type ReportTypeCheckResult,
  type ReportTypeMismatch,
} from "./report/run/refusal.ts";
export { initialProgress } from "./report/run/progress.ts";
export {
  rowSnapshotPathOf,
  type Render,
  type RenderProgress,
  type RenderRequest,
  type RenderResult,
  type SpooledRows,
} from "./report/run/render.ts";
export { evaluateLoss, type LostAttempt, type RescueOutcome, type LostAttemptRescuer } from "./report/run/rescue.ts";
export { reportRetryDelaysMs } from "./report/run/retry-delay.ts";
export type { RunDeps, RunLimits } from "./report/run/run-deps.ts";
export { runReportPayloadSchema, runReportTaskName, runReportWithRowsTaskName } from "./report/run/run-report-job.ts";
export { runReport } from "./report/run/run-report.ts";
export { runTimeExceededError } from "./report/run/run-time-limit.ts";
export {
  workerDeadAfterMs,
  isWebhookKeyHeldBy,
  isTypeServedBy,
  type WorkerWithoutSharedWebhookKey,
  type RunningWorker,
  type ServedTypeVersions,
  type WorkerRegistration,
  type WorkerRegistry,
} from "./report/run/worker-registry.ts";

export { builtInRegistrations, builtInReportTypes } from "./report/definitions/built-in-report-types.ts";
