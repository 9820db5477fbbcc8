// Errors, ports and limits
export { clockFrom } from "./clock.ts";
export { createPermits, createSemaphore, fairPolicy, type HeldPermits, type Semaphore } from "./semaphore.ts";
export { unlessAborted, withinTime } from "./deadline.ts";
export {
  DomainError,
  ExpectedError,
  FencedOutError,
  FileNotFoundError,
  HostFailureError,
  hostParts,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  StoreMismatchError,
  OutcomeUnknownError,
  StoreLimitError,
  StoreUnavailableError,
  type ErrorKind,
  type HostPart,
  type InputIssue,
} from "./errors.ts";
export type { ReportErrorCode } from "./base/vocabulary.ts";
export {
  defaultLoginLimits,
  unlimitedLogins,
  type LoginAttempt,
  type LoginLimits,
  type LoginRefusal,
  type LoginThrottle,
} from "./login-throttle.ts";
export { RateLimitedError, type QuotaState } from "./rate-limit.ts";
export { clip, invalidInput, listIssues } from "./list-issues.ts";
export { foreignMessage, foreignText, readForeign } from "./foreign-text.ts";
export { isJsonObject, notAnObject } from "./json-object.ts";
export { mergePatchTypes } from "./merge-patch.ts";
export {
  storeStates,
  type ByteRange,
  type Clock,
  type FileStat,
  type FileStore,
  type IdMaker,
  type PutFile,
  type StoreIdentity,
  type StoreLook,
  type StoreMarkerRecord,
  type StoreState,
} from "./ports.ts";
export type { RowRequest, RowSourceReader } from "./report/types/row-source-reader.ts";
export { MalformedJsonError, parseStrictJsonBytes } from "./strict-json.ts";

// Webhooks
export {
  deliveryFilters,
  deliverySorts,
  webhookFilters,
  webhookSorts,
  type WebhookLists,
} from "./webhook/webhook-lists.ts";
export { normalUrl } from "./webhook/webhook-url.ts";
export type { SealedSecrets } from "./webhook/sealed-secrets.ts";
export { readWebhookInput, readWebhookPatch, type WebhookRules } from "./webhook/webhook-input.ts";
export {
  unreadableForMs,
  judgeTry,
  maxRetryAfterMs,
  type DeliveryQueue,
  type Settlement,
  type TakenDelivery,
  type TakeRules,
  type TryOutcome,
} from "./webhook/delivery.ts";
export {
  deliveryErrors,
  deliveryStatuses,
  secretOverlapMs,
  testEventType,
  webhookAuthorities,
  maxEarlierSecrets,
  maxWaitingDeliveries,
  webhookLimits,
  webhookNotFound,
  webhookScopes,
  webhookStatuses,
  type DeliveredEventType,
  type DeliveryError,
  pauseCauses,
  type PauseCause,
  type SealedSecret,
  type Webhook,
  type WebhookChange,
  type WebhookDelivery,
  type WebhookEventType,
  type WebhookLimits,
  type WebhookStore,
} from "./webhook/webhook.ts";

// Reports
export { authorityRule, isAuthority } from "./report/authority.ts";
export { createCatalogue, type ReportCatalogue } from "./report/catalogue.ts";
export { createCondition } from "./report/cell-condition.ts";
export { changeReport, removeReport, reportPatchSchema, type ReportChange } from "./report/change-report.ts";
export type { ColumnKind, ReportColumn } from "./report/column.ts";
export type { FileSuspicions, FileVerdicts, PublishedFile } from "./report/confirm-damage.ts";
export { createDownloadLink, followDownloadLink, linkNotFound } from "./report/download-link.ts";
export type { CreateLinkDeps, DownloadLinkStore, LinksOfFile, OpenLinkDeps } from "./report/download-link.ts";
export { barValues, omittedValue } from "./report/chart-value.ts";
export { builtInRegistrations, builtInReportTypes } from "./report/definitions/built-in-report-types.ts";
export {
  addExact,
  compareExact,
  divideExact,
  formatExact,
  multiplyExact,
  parseExact,
  roundExact,
  withoutExponent,
  type ExactNumber,
} from "./report/exact-number.ts";
export type { FileIndex } from "./report/file-index.ts";
export { mismatchedProperties, verifiedBody, type FileMismatch } from "./report/file-mismatch.ts";
export { fileNameOf } from "./report/file-name.ts";
export {
  removalReasons,
  sweepRemovals,
  type FileRemovalDeps,
  type FileRemovals,
  type RemovalReason,
} from "./report/file-removal.ts";
export {
  compressions,
  fileExtension,
  formatFacts,
  mediaTypeOf,
  reportFormats,
  type Compression,
  type ReportFormat,
} from "./report/format.ts";
export {
  servedTypesOf,
  type AwaitingReports,
  type HostState,
  type TypeAvailability,
  type TypeComparison,
  type TypeFault,
} from "./report/hand-back.ts";
export type { HandBackPast, Refusal } from "./report/lifecycle/requeue-history.ts";
export { parseIdempotencyKey, type OnceClaim, type OnceKey } from "./report/idempotency.ts";
export { firstLane } from "./report/lane.ts";
export { firstLanes, reportLanes, type ReportLane } from "./base/vocabulary.ts";
export {
  overloadLimitsOf,
  confirmAges,
  overloadOf,
  type LaneLimits,
  type LaneLoad,
  type OverloadLimits,
  type QueueLoad,
} from "./report/lane-load.ts";
export { readLinkSeconds } from "./report/link-input.ts";
export type { LinkThrottle } from "./report/link-throttle.ts";
export { describeValue, readObjectCell, type ObjectCell } from "./report/object-cell.ts";
export {
  fileNotFound,
  findReport,
  openFinishedFile,
  openReport,
  openReportFile,
  refuseDeleted,
  reportNotFound,
  type OpenDeps,
  type OpenedReport,
} from "./report/open-report.ts";
export {
  choicesOf,
  choicesOfAll,
  reportOptionsSchema,
  unknownOptionsOf,
  requestOptions,
  schemaNameOf,
  type OptionChoices,
  type ReportOptions,
} from "./report/options.ts";
export type { Paper } from "./report/page.ts";
export { timezoneField } from "./query/timezone-field.ts";
export { planReconciliation, type PlannedStep } from "./report/plan-reconciliation.ts";
export { estimateReport } from "./report/estimate-report.ts";
export {
  readPreview,
  type FormatPace,
  type PaceRequest,
  type ReportPreviews,
  type RowForecast,
} from "./report/preview.ts";
export { estimateInputFromQuery, previewInputFromQuery, previewOptions, previewRows } from "./report/preview-input.ts";
export { createJsonRow } from "./report/json-row.ts";
export { createLocalTimestamp, localDayOf, wireTimestampOf, writeOffset } from "./report/local-timestamp.ts";
export { initialProgress } from "./report/progress.ts";
/** @public For whatever loads report types. */
export { readReportTypes, type ReadReportTypes } from "./report/read-report-types.ts";
export { reconcileFiles, type ReconcileDeps, type ReconcileLimits, type ReconcileOutcome } from "./report/reconcile.ts";
export {
  progressPhases,
  reportStatuses,
  type EventCause,
  handBackCauses,
  type HandBackCause,
  type ReportStatus,
} from "./base/vocabulary.ts";
export type { Report, ReportEvent } from "./report/record.ts";
export type { ReportFile } from "./report/files/report-file.ts";
export {
  keptRowsPathOf,
  type Render,
  type RenderProgress,
  type RenderRequest,
  type RenderResult,
  type SpooledRows,
} from "./report/render.ts";
export { reportFilters, reportSorts } from "./report/report-filters.ts";
export {
  mainReportSource,
  reportSourceEngines,
  sourceNameOf,
  type ReportSourceEngine,
  type ReportSources,
  type ReportSourceSettings,
} from "./report/report-sources.ts";
export type {
  Claim,
  ClaimTerms,
  NewReport,
  QueuedReport,
  ReportCompletion,
  ReportLists,
  ReportStore,
} from "./report/report-store.ts";
export type { RegisteredReportType, ReportTypeDefinition } from "./report/report-type.ts";
export { judgeLoss, type LostAttempt, type RescueLimits, type RescueOutcome, type Rescuer } from "./report/rescue.ts";
export { retire, type RetentionOutcome, type RetentionStore } from "./report/retention.ts";
export type { ObjectRow } from "./report/row-source.ts";
/** @public For authors of report types, and for what reads their rows. */
export {
  viewColumnTypes,
  type ObjectRows,
  type ObjectRowsRequest,
  type RelationRows,
  type ViewColumn,
  type ViewColumnType,
  type ViewRows,
} from "./report/row-source.ts";
export { compareCells, createRowOrder, type ReadRow } from "./report/row-order.ts";
export type { FoldedRowStream, RowStream } from "./report/row-stream.ts";
export { fileInputFromBody, fileOptionNames } from "./report/file-input.ts";
export {
  keptRowsContentType,
  keptRowsExtension,
  type KeptRows,
  type KeptRowsHeader,
  type NewKeptRows,
} from "./report/kept-rows.ts";
export { maxFurtherFiles, startFile, type StartFileDeps } from "./report/start-file.ts";
export { titleInSentence } from "./report/title-in-sentence.ts";
export { longestPrincipalBytes, userPrincipalPrefix } from "./report/user-principal.ts";
export type { RunOutcome } from "./report/end-attempt.ts";
export { retryDelaysMs } from "./report/retry-delay.ts";
export { runReport } from "./report/run-report.ts";
export type { RunDeps, RunLimits } from "./report/run/run-deps.ts";
export { runTimeExceeded } from "./report/run-time-limit.ts";
export { startInputFromBody, startInputFromQuery } from "./report/start-input.ts";
export { defaultStartLimits, unlimitedStarts, type StartLimits } from "./report/start-limits.ts";
export { startReport, unguardedStarts, type StartDeps } from "./report/start-report.ts";
export { isTerminal, retryAfterSeconds } from "./report/states.ts";
export { reportIdOf } from "./report/storage-key.ts";
export type {
  Aggregate,
  Attention,
  AttentionDefinition,
  Chart,
  ChartDefinition,
  Condition,
  Figure,
  ReportSummary,
  Tone,
} from "./report/summary.ts";
export {
  judgeSuspects,
  verifyFiles,
  type FileWalk,
  type VerifyDeps,
  type VerifyLimits,
  type VerifyOutcome,
} from "./report/verify-files.ts";
export {
  isVisible,
  reportVisibilities,
  type ReportVisibility,
  type VisibleDeliveries,
  type VisibleReports,
} from "./report/visibility.ts";
export { isReportWarningCode, type ReportWarningCode } from "./base/vocabulary.ts";
export type { ReportWarning } from "./report/warning.ts";
export {
  followReport,
  isLast,
  waitForReport,
  type ReportChangeListener,
  type ReportChangeSource,
  type ReportNews,
  type ReportWatch,
  type ReportWatches,
  type WaitOutcome,
} from "./report/watch-report.ts";

// Filters, sorts and pages
export {
  anchorOf,
  maxExactCount,
  type CollectionPage,
  type CollectionQuery,
  type KeysetPosition,
} from "./query/collection-query.ts";
export { filterKinds } from "./query/filter-kinds.ts";
export { idField } from "./query/id-field.ts";
export { uuidPattern } from "./query/uuid-pattern.ts";
export type { Filter, FilterOperator, FilterValue, SearchParam } from "./query/filters.ts";
export { parseHostname } from "./query/hostname.ts";
export { describeUnknownName, suggestName } from "./query/nearest-name.ts";
export { describeFilterValue, isSingle, maxFilterValues, parseFilters } from "./query/parse-filters.ts";
export { badCursor, badCursorIssue, invalidQuery, queryTooLong } from "./query/invalid-query.ts";
export { repeatedParameter } from "./query/repeated-parameter.ts";
export { parseSortKey, type SortKey } from "./query/sort-key.ts";
export { instantOfLocal, localTimeAt } from "./query/local-time.ts";
export { dependsOnTimezone, resolveRelativeTime } from "./query/relative-time.ts";
export { zoneOffsets } from "./query/zone-offsets.ts";
export { normaliseTimestamp } from "./query/timestamp.ts";

// Collections
export {
  answeredFields,
  newestFirst,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionView,
} from "./collection/collection-definition.ts";
export { readInput, type InputRules } from "./collection/collection-input.ts";
export {
  createRecord,
  findRecord,
  invalidRecord,
  patchRecord,
  recordGone,
  recordNotFound,
  removeRecord,
  replaceRecord,
} from "./collection/collection-records.ts";
export type { CollectionStore, ListedRecord, RecordPlace, Stored } from "./collection/collection-store.ts";
export { firstVersion, type RecordVersion } from "./collection/record-version.ts";
export { changesNothing, isSameValue } from "./same-value.ts";

// The register
export { choiceField } from "./http/choice-field.ts";
export { domainInputSchema, domainRules, type DomainInput } from "./register/domain-schema.ts";
export {
  certKeyTypes,
  domainIssues,
  domainStatuses,
  severities,
  tlsMinVersions,
  tlsModes,
  upstreamSchemes,
  type CertKeyType,
  type Domain,
  type DomainIssue,
  type DomainStatus,
  type Severity,
  type TlsMinVersion,
  type TlsMode,
  type UpstreamScheme,
} from "./register/domain.ts";
export { domainsCollection } from "./register/domains-collection.ts";
export { proxiesCollection } from "./register/proxies-collection.ts";
export { proxyInputSchema, proxyRules, type ProxyInput } from "./register/proxy-schema.ts";
export {
  adminStates,
  environments,
  healths,
  proxyKinds,
  proxyProtocols,
  proxySoftwares,
  type Health,
  type Proxy,
  type ProxyKind,
  type ProxyProtocol,
  type ProxySoftware,
} from "./register/proxy.ts";
export { severityThresholds } from "./register/severity-thresholds.ts";

// Schedules
export {
  changeSchedule,
  createSchedule,
  lacksAuthority,
  ownerNotSeen,
  removeSchedule,
  scheduleGone,
  scheduleNotFound,
  type ChangeScheduleDeps,
} from "./schedule/change-schedule.ts";
export { fireDueSchedules, type FireDeps } from "./schedule/fire-due-schedules.ts";
export { nextOf, type DueSchedule, type DueVerdict, type FireRow } from "./schedule/judge-due.ts";
export { readScheduledStart, scheduleInputSchema, schedulePatchSchema } from "./schedule/schedule-input.ts";
export type { FireRule, ScheduleCalendar } from "./schedule/schedule-calendar.ts";
export type {
  DueSchedules,
  FireContext,
  FiredSchedule,
  ScheduleChange,
  ScheduleStore,
} from "./schedule/schedule-store.ts";
export { scheduleFilters, scheduleFireFilters } from "./schedule/schedule-filters.ts";
export {
  fireOutcomes,
  maxFailuresInRow,
  maxOpenReports,
  missedPolicies,
  overlapPolicies,
  schedulePauseCauses,
  schedulePauseReasons,
  scheduleOwnerships,
  scheduleStatuses,
  shownFires,
  skipCauses,
  type FireCause,
  type SchedulePauseCause,
  type Schedule,
  type ScheduleFire,
  type ScheduleSettings,
} from "./schedule/schedule.ts";

// Jobs
export { runReportPayloadSchema, runReportTask, runReportWithRowsTask } from "./jobs/run-report-job.ts";
export {
  deadAfterMs,
  isKeyHeldBy,
  isServedBy,
  type KeyStranger,
  type LivingWorker,
  type ServedTypes,
  type WorkerIdentity,
  type WorkerRegistry,
} from "./jobs/worker-registry.ts";
