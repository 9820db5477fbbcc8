export { createMonotonicClock } from "./base/clock.ts";
export { awaitUnlessAborted, runWithTimeLimit } from "./base/deadline.ts";
export {
  DomainError,
  ExpectedError,
  FencedOutError,
  FileNotFoundError,
  HostFailureError,
  hostParts,
  OutcomeUnknownError,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  StoreLimitError,
  StoreMismatchError,
  SourceUnavailableError,
  StoreUnavailableError,
  type ErrorKind,
  type HostPart,
  type InputIssue,
} from "./base/errors.ts";
export {
  storeStates,
  type ByteRange,
  type Clock,
  type FileStat,
  type FileStore,
  type IdMaker,
  type PutFile,
  type StoreIdentity,
  type StoreIdReader,
  type StoreIdRecord,
  type StoreState,
} from "./base/file-store.ts";
export { readForeignMessage, sanitiseForeignText, readForeignProperty } from "./base/foreign-text.ts";
export { isJsonObject, notAnObjectIssue } from "./base/json-object.ts";
export { clipText, invalidInputError, listIssues } from "./base/list-issues.ts";
export { mergePatchTypes } from "./base/merge-patch.ts";
export { isUnchangedBy, isSameValue } from "./base/same-value.ts";
export {
  createPermitCounts,
  createSemaphore,
  createFairPolicy,
  type HeldPermits,
  type Semaphore,
} from "./base/semaphore.ts";
export { MalformedJsonError, parseStrictJsonBytes } from "./base/strict-json.ts";
export {
  newReportLanes,
  requeueCauses,
  isReportWarningCode,
  progressPhases,
  reportLanes,
  reportStatuses,
  type EventCause,
  type RequeueCause,
  type ReportErrorCode,
  type ReportLane,
  type ReportStatus,
  type ReportWarningCode,
} from "./base/vocabulary.ts";
