import type { ProblemCode } from "./problems/problem-catalogue.ts";
import type { RequeueCause, ReportErrorCode } from "./vocabulary.ts";

/** Key of the static property that holds the name of an error class. `Symbol.for` gives every copy of this package the same key. */
const className: unique symbol = Symbol.for("@reports/core/error-class") as never;
/** Key of the prototype property that lists the class names of an error, the most specific first. */
const classNames: unique symbol = Symbol.for("@reports/core/error-classes") as never;

interface ErrorClass {
  readonly [className]?: string;
}

/**
 * Base class of all expected failures, such as invalid input or an unavailable store. Any other error is a bug: the API responds with 500, and the
 * worker counts a failure and retries the report. `instanceof` compares class names, because a package of report types may have its own copy of
 * @reports/core.
 */
export abstract class ExpectedError extends Error {
  static readonly [className]: string = "ExpectedError";

  static override [Symbol.hasInstance](this: ErrorClass, value: unknown): boolean {
    if (!Object.hasOwn(this, className)) return Function.prototype[Symbol.hasInstance].call(this, value);
    const names = (value as Partial<ExpectedError> | null | undefined)?.[classNames];
    return Array.isArray(names) && names.includes(this[className]);
  }

  get [classNames](): readonly string[] {
    const names: string[] = [];
    let made = this.constructor as ErrorClass | null;
    for (; made !== null; made = Object.getPrototypeOf(made) as ErrorClass | null)
      if (Object.hasOwn(made, className)) names.push(made[className]!);
    return names;
  }
}

const errorKinds = [
  "bad-request",
  "unauthenticated",
  "forbidden",
  "not-found",
  "gone",
  "not-acceptable",
  "precondition-failed",
  "invalid",
  "rate-limited",
  "unavailable",
] as const;
/** Kind of a refused request. The API maps each kind to one HTTP status. */
export type ErrorKind = (typeof errorKinds)[number];

/** One mistake in an input: its location, a stable code, and a sentence that says what is allowed. */
export interface InputIssue {
  readonly parameter?: string;
  /** JSON pointer (RFC 6901) to the location of the mistake in the request body. */
  readonly pointer?: string;
  readonly header?: string;
  readonly code: string;
  readonly message: string;
}

export interface HiddenRecord {
  readonly recordType: string;
  readonly recordId: string;
}

/** A request that the API refuses, permanently or for now, with a problem (RFC 9457). `message` says what failed, why, and what to do. */
export class DomainError extends ExpectedError {
  static override readonly [className]: string = "DomainError";
  override readonly name: string = "DomainError";
  readonly kind: ErrorKind;
  readonly code: ProblemCode;
  readonly issues: readonly InputIssue[];
  /** Number of seconds after which the caller should retry, sent as `Retry-After`; undefined if a retry does not help. */
  readonly retryAfterSeconds: number | undefined;
  /** The existing record that a not-found error hides from a caller without access. Only the audit log shows it. */
  readonly hides: HiddenRecord | undefined;

  constructor(
    kind: ErrorKind,
    code: ProblemCode,
    message: string,
    details: { issues?: readonly InputIssue[]; retryAfterSeconds?: number; cause?: unknown; hides?: HiddenRecord } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = code;
    this.issues = details.issues ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.hides = details.hides;
  }
}

/** Thrown by writes of an attempt that no longer owns its report, because the report was cancelled, deleted or claimed again. */
export class FencedOutError extends ExpectedError {
  static override readonly [className]: string = "FencedOutError";
  override readonly name = "FencedOutError";
  constructor(reportId: string, attempt: number) {
    super(`Attempt ${attempt} no longer owns report ${reportId}.`);
  }
}

/** The file store has no file under the key. The caller decides whether the file is lost or not stored yet. */
export class FileNotFoundError extends ExpectedError {
  static override readonly [className]: string = "FileNotFoundError";
  override readonly name = "FileNotFoundError";
  readonly key: string;
  constructor(key: string) {
    super(`No file is stored under ${key}.`);
    this.key = key;
  }
}

/**
 * A database or file store does not respond in time. The API responds with 503; the worker retries the report without counting a failure. Report
 * types throw this error if their source is unavailable.
 */
export class StoreUnavailableError extends ExpectedError {
  static override readonly [className]: string = "StoreUnavailableError";
  override readonly name: string = "StoreUnavailableError";
}

/** The source of a report type's rows does not respond to the API. The API responds with 503, and only its log has the cause. */
export class SourceUnavailableError extends StoreUnavailableError {
  static override readonly [className]: string = "SourceUnavailableError";
  override readonly name = "SourceUnavailableError";
  readonly reportType: string;
  constructor(reportType: string, cause?: unknown) {
    super(`The data source of ${reportType} cannot be reached.`, cause === undefined ? undefined : { cause });
    this.reportType = reportType;
  }
}

/**
 * Postgres or its synchronous standby did not confirm a COMMIT, so the change may or may not be made. The API responds with 503 `outcome-unknown`.
 */
export class CommitOutcomeUnknownError extends StoreUnavailableError {
  static override readonly [className]: string = "CommitOutcomeUnknownError";
  override readonly name: string = "CommitOutcomeUnknownError";
}

/**
 * The configured file store belongs to another database or is empty. The service must write and remove no file in it, and must not treat files as
 * lost.
 */
export class StoreMismatchError extends StoreUnavailableError {
  static override readonly [className]: string = "StoreMismatchError";
  override readonly name: string = "StoreMismatchError";
}

/**
 * The database ended an attempt, for example because of a full disk or a limit. This counts as a failure of the report. If it is the last failure,
 * the requester sees `message`.
 */
export class DatabaseLimitError extends ExpectedError {
  static override readonly [className]: string = "DatabaseLimitError";
  override readonly name = "DatabaseLimitError";
}

/** Parts of a worker's machine that each attempt needs: the spool disk, the renderer processes, and the connection to the file store. */
export const workerHostParts = ["spool", "renderers", "store"] as const;
export type WorkerHostPart = (typeof workerHostParts)[number];

/**
 * A part of the worker's machine failed. The report is requeued without counting a failure. The worker claims no report until the part works again.
 */
export class HostFailureError extends StoreUnavailableError {
  static override readonly [className]: string = "HostFailureError";
  override readonly name: string = "HostFailureError";
  readonly part: WorkerHostPart;
  constructor(part: WorkerHostPart, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.part = part;
  }
}

/** Ends a report as FAILED without a retry. The requester sees `message`. Report types throw this error, usually with the code `INVALID_DATA`. */
export class PermanentReportError extends ExpectedError {
  static override readonly [className]: string = "PermanentReportError";
  override readonly name = "PermanentReportError";
  readonly code: ReportErrorCode;
  constructor(code: ReportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * This worker cannot run the report now, but another worker may. The report is requeued without counting a failure. `message` appears only in logs.
 */
export class ReportNotServedError extends ExpectedError {
  static override readonly [className]: string = "ReportNotServedError";
  override readonly name = "ReportNotServedError";
  readonly because: RequeueCause;
  constructor(because: RequeueCause, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.because = because;
  }
}

/** The renderer process of a report crashed or ran out of memory. The attempt counts as a failure of the report. */
export class RendererCrashError extends ExpectedError {
  static override readonly [className]: string = "RendererCrashError";
  override readonly name = "RendererCrashError";
  readonly code: "RENDERER_CRASHED" | "OUT_OF_MEMORY";
  constructor(code: "RENDERER_CRASHED" | "OUT_OF_MEMORY", message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Ends the running attempts of a worker that shuts down. Their reports are requeued immediately, without counting a failure. */
export class ShutdownError extends ExpectedError {
  static override readonly [className]: string = "ShutdownError";
  override readonly name = "ShutdownError";
}
