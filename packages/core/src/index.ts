// Exports of `@reports/core` for services that build on its use cases. `@public` marks exports that no code of this repository uses.

/** @public */
export {
  DomainError,
  ExpectedError,
  FencedOutError,
  FileNotFoundError,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  StoreMismatchError,
  StoreUnavailableError,
  type ErrorKind,
  type InputIssue,
} from "./base/errors.ts";
/** @public */
export { reportErrorCodes, type ReportErrorCode } from "./base/vocabulary.ts";
/** @public */
export { defaultStartLimits, unlimitedStarts, type StartLimits } from "./report/lifecycle/start-limits.ts";
/** @public */
export { RateLimitedError, type QuotaState } from "./caller/rate-limit.ts";
/** @public */
export type { OverloadLimits } from "./report/lifecycle/lane-load.ts";
/** @public */
export type { ByteRange, Clock, FileStat, FileStore, IdMaker, PutFile, StoreIdentity } from "./base/file-store.ts";
/** @public */
export type { RowRequest, RowSourceReader } from "./report/types/row-source-reader.ts";
/** @public */
export type {
  NewReport,
  QueuedReport,
  ReportCompletion,
  ReportLists,
  ReportStore,
} from "./report/lifecycle/report-store.ts";
/** @public */
export type { Render, RenderProgress, RenderRequest, RenderResult } from "./report/run/render.ts";
/** @public */
export type { RowStream } from "./report/types/row-stream.ts";
/** @public */
export { createCatalogue, type ReportCatalogue } from "./report/types/catalogue.ts";
/** @public */
export { builtInRegistrations, builtInReportTypes } from "./report/definitions/built-in-report-types.ts";
/** @public */
export { readReportTypes, type ReadReportTypes } from "./report/types/read-report-types.ts";
/** @public */
export type { RegisteredReportType, ReportTypeDefinition } from "./report/types/type-definition.ts";
/** @public */
export {
  compressions,
  fileExtension,
  mediaTypeOf,
  reportFormats,
  type Compression,
  type ReportFormat,
} from "./report/types/format.ts";
/** @public */
export { progressPhases, reportStatuses, type EventCause, type ReportStatus } from "./base/vocabulary.ts";
/** @public */
export type { Report, ReportEvent } from "./report/lifecycle/report-record.ts";
/** @public */
export type { ReportFile } from "./report/files/report-file.ts";
/** @public */
export { isTerminal, retryAfterSeconds } from "./report/lifecycle/states.ts";
/** @public */
export { reportWarningCodes, type ReportWarningCode } from "./base/vocabulary.ts";
/** @public */
export type { ReportWarning } from "./report/types/warning.ts";
/** @public */
export type { ReportOptions } from "./report/types/options.ts";
/** @public */
export { changeReport, removeReport, type ReportChange } from "./report/lifecycle/change-report.ts";
/** @public */
export {
  findReport,
  openReport,
  openReportFile,
  type OpenDeps,
  type OpenedReport,
} from "./report/lifecycle/open-report.ts";
/** @public */
export { runReport } from "./report/run/run-report.ts";
/** @public */
export type { RunDeps, RunLimits } from "./report/run/run-deps.ts";
/** @public */
export type { RunOutcome } from "./report/run/end-failed-attempt.ts";
/** @public */
export { parseIdempotencyKey, type OnceClaim, type OnceKey } from "./report/lifecycle/idempotency.ts";
/** @public */
export { startInputFromBody, startInputFromQuery } from "./report/request/start-input.ts";
/** @public */
export { startReport, unguardedStarts, type StartDeps } from "./report/lifecycle/start-report.ts";
/** @public */
export {
  followReport,
  isLast,
  waitForReport,
  type ReportNews,
  type ReportWatch,
  type ReportWatches,
  type WaitOutcome,
} from "./report/lifecycle/watch-report.ts";
