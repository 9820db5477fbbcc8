export { createMonotonicClock } from "./base/clock.ts";
export { awaitUnlessAborted, runWithTimeLimit } from "./base/deadline.ts";
export {
  DomainError,
  ExpectedError,
  FencedOutError,
  FileNotFoundError,
  HostFailureError,
  workerHostParts,
  CommitOutcomeUnknownError,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  DatabaseLimitError,
  StoreMismatchError,
  SourceUnavailableError,
  StoreUnavailableError,
  type ErrorKind,
  type WorkerHostPart,
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
  type StoreIdRepository,
  type StoreState,
} from "./base/file-store.ts";
export { readThrownMessage, sanitiseUntrustedText, readPropertySafely } from "./base/foreign-text.ts";
export { isJsonObject, notAnObjectIssue } from "./base/json-object.ts";
export { truncateText, invalidInputError, truncateIssues } from "./base/truncate-issues.ts";
export { mergePatchMediaTypes } from "./base/merge-patch.ts";
export { isUnchangedBy, isDeepEqual } from "./base/same-value.ts";
export {
  createPermitCounter,
  createSemaphore,
  createFairSemaphorePolicy,
  type HeldPermitCounts,
  type Semaphore,
} from "./base/semaphore.ts";
export { MalformedJsonError, parseStrictJsonBytes } from "./base/strict-json.ts";
export {
  initialReportLanes,
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
export { bisect, toInstantMs, toLocalTimeMs } from "./base/time/local-time.ts";
export { createTimestampConverter, formatUtcOffset, toLocalDay, toWireTimestamp } from "./base/time/local-timestamp.ts";
export { getZoneOffsetSecondsLookup } from "./base/time/zone-offset-seconds-lookup.ts";
