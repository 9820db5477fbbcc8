// What the published package exports as `.`: for services on the same domain. In the repository, index.ts gives adapters more.

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
} from "./errors.ts";
/** @public Errors. */
export { reportErrorCodes, type ReportErrorCode } from "./base/vocabulary.ts";
/** @public Limits of starts. */
export { defaultStartLimits, unlimitedStarts, type StartLimits } from "./report/start-limits.ts";
/** @public Limits of starts. */
export { RateLimitedError, type QuotaState } from "./rate-limit.ts";
/** @public Limits of starts. */
export type { OverloadLimits } from "./report/lane-load.ts";
/** @public Ports. */
export type { ByteRange, Clock, FileStat, FileStore, IdMaker, PutFile, StoreIdentity } from "./ports.ts";
/** @public Ports. */
export type { RowRequest, RowSourceReader } from "./report/types/row-source-reader.ts";
/** @public Ports. */
export type { NewReport, QueuedReport, ReportCompletion, ReportLists, ReportStore } from "./report/report-store.ts";
/** @public Ports. */
export type { Render, RenderProgress, RenderRequest, RenderResult } from "./report/render.ts";
/** @public Ports. */
export type { RowStream } from "./report/row-stream.ts";
/** @public Report types. */
export { createCatalogue, type ReportCatalogue } from "./report/catalogue.ts";
/** @public Report types. */
export { builtInRegistrations, builtInReportTypes } from "./report/definitions/built-in-report-types.ts";
/** @public Report types. */
export { readReportTypes, type ReadReportTypes } from "./report/read-report-types.ts";
/** @public Report types. */
export type { RegisteredReportType, ReportTypeDefinition } from "./report/report-type.ts";
/** @public Formats. */
export {
  compressions,
  fileExtension,
  mediaTypeOf,
  reportFormats,
  type Compression,
  type ReportFormat,
} from "./report/format.ts";
/** @public Records and states. */
export { progressPhases, reportStatuses, type EventCause, type ReportStatus } from "./base/vocabulary.ts";
/** @public Records and states. */
export type { Report, ReportEvent } from "./report/record.ts";
/** @public Records and states. */
export type { ReportFile } from "./report/files/report-file.ts";
/** @public Records and states. */
export { isTerminal, retryAfterSeconds } from "./report/states.ts";
/** @public Records and states. */
export { reportWarningCodes, type ReportWarningCode } from "./base/vocabulary.ts";
/** @public Records and states. */
export type { ReportWarning } from "./report/warning.ts";
/** @public Records and states. */
export type { ReportOptions } from "./report/options.ts";
/** @public Use cases. */
export { changeReport, removeReport, type ReportChange } from "./report/change-report.ts";
/** @public Use cases. */
export { findReport, openReport, openReportFile, type OpenDeps, type OpenedReport } from "./report/open-report.ts";
/** @public Use cases. */
export { runReport } from "./report/run-report.ts";
/** @public Use cases. */
export type { RunDeps, RunLimits } from "./report/run/run-deps.ts";
/** @public How an attempt of a report ended. */
export type { RunOutcome } from "./report/end-attempt.ts";
/** @public Use cases. */
export { parseIdempotencyKey, type OnceClaim, type OnceKey } from "./report/idempotency.ts";
/** @public Use cases. */
export { startInputFromBody, startInputFromQuery } from "./report/start-input.ts";
/** @public Use cases. */
export { startReport, unguardedStarts, type StartDeps } from "./report/start-report.ts";
/** @public Use cases. */
export {
  followReport,
  isLast,
  waitForReport,
  type ReportNews,
  type ReportWatch,
  type ReportWatches,
  type WaitOutcome,
} from "./report/watch-report.ts";
