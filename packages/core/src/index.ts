// Exports of `@reports/core`, for services that build on its use cases. Code in this repository imports a room's own file, such as report.ts.

/** @public Errors. */
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
/** @public Errors. */
export { reportErrorCodes, type ReportErrorCode } from "./base/vocabulary.ts";
/** @public Limits of starts. */
export { defaultStartLimits, unlimitedStarts, type StartLimits } from "./report/lifecycle/start-limits.ts";
/** @public Limits of starts. */
export { RateLimitedError, type QuotaState } from "./caller/rate-limit.ts";
/** @public Limits of starts. */
export type { OverloadLimits } from "./report/lifecycle/lane-load.ts";
/** @public Ports. */
export type { ByteRange, Clock, FileStat, FileStore, IdMaker, PutFile, StoreIdentity } from "./base/file-store.ts";
/** @public Ports. */
export type { RowRequest, RowSourceReader } from "./report/types/row-source-reader.ts";
/** @public Ports. */
export type {
  NewReport,
  QueuedReport,
  ReportCompletion,
  ReportLists,
  ReportStore,
} from "./report/lifecycle/report-store.ts";
/** @public Ports. */
export type { Render, RenderProgress, RenderRequest, RenderResult } from "./report/run/render.ts";
/** @public Ports. */
export type { RowStream } from "./report/types/row-stream.ts";
/** @public Report types. */
export { createCatalogue, type ReportCatalogue } from "./report/types/catalogue.ts";
/** @public Report types. */
export { builtInRegistrations, builtInReportTypes } from "./report/definitions/built-in-report-types.ts";
/** @public Report types. */
export { readReportTypes, type ReadReportTypes } from "./report/types/read-report-types.ts";
/** @public Report types. */
export type { RegisteredReportType, ReportTypeDefinition } from "./report/types/type-definition.ts";
/** @public Formats. */
export {
  compressions,
  fileExtension,
  mediaTypeOf,
  reportFormats,
  type Compression,
  type ReportFormat,
} from "./report/types/format.ts";
/** @public Records and states. */
export { progressPhases, reportStatuses, type EventCause, type ReportStatus } from "./base/vocabulary.ts";
/** @public Records and states. */
export type { Report, ReportEvent } from "./report/lifecycle/report-record.ts";
/** @public Records and states. */
export type { ReportFile } from "./report/files/report-file.ts";
/** @public Records and states. */
export { isTerminal, retryAfterSeconds } from "./report/lifecycle/states.ts";
/** @public Records and states. */
export { reportWarningCodes, type ReportWarningCode } from "./base/vocabulary.ts";
/** @public Records and states. */
export type { ReportWarning } from "./report/types/warning.ts";
/** @public Records and states. */
export type { ReportOptions } from "./report/types/options.ts";
/** @public Use cases. */
export { changeReport, removeReport, type ReportChange } from "./report/lifecycle/change-report.ts";
/** @public Use cases. */
export {
  findReport,
  openReport,
  openReportFile,
  type OpenDeps,
  type OpenedReport,
} from "./report/lifecycle/open-report.ts";
/** @public Use cases. */
export { runReport } from "./report/run/run-report.ts";
/** @public Use cases. */
export type { RunDeps, RunLimits } from "./report/run/run-deps.ts";
/** @public How an attempt of a report ended. */
export type { RunOutcome } from "./report/run/end-attempt.ts";
/** @public Use cases. */
export { parseIdempotencyKey, type OnceClaim, type OnceKey } from "./report/lifecycle/idempotency.ts";
/** @public Use cases. */
export { startInputFromBody, startInputFromQuery } from "./report/request/start-input.ts";
/** @public Use cases. */
export { startReport, unguardedStarts, type StartDeps } from "./report/lifecycle/start-report.ts";
/** @public Use cases. */
export {
  followReport,
  isLast,
  waitForReport,
  type ReportNews,
  type ReportWatch,
  type ReportWatches,
  type WaitOutcome,
} from "./report/lifecycle/watch-report.ts";
