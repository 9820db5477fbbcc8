import type { ProblemCode } from "./problems/problem-catalogue.ts";
import type { RequeueCause, ReportErrorCode } from "./vocabulary.ts";

/** The name of an error class in every copy of this package. */
const className: unique symbol = Symbol.for("@reports/core/error-class") as never;
/** The classes of an error, its own first. */
const classNames: unique symbol = Symbol.for("@reports/core/error-classes") as never;

interface ErrorClass {
  readonly [className]?: string;
}

/**
 * The root of every expected failure: a wrong input, an unavailable store, an overtaken attempt. Each class says who handles it. Any other
 * error is a bug: the API responds with 500, and the worker retries the report and spends one of its failures.
 * A package of report types may bring its own copy of this package, so `instanceof` compares class names.
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
/** The API maps each kind to one HTTP status. */
export type ErrorKind = (typeof errorKinds)[number];

/** One thing that is wrong with an input: its place, a stable code, and a sentence that says what is allowed. */
export interface InputIssue {
  readonly parameter?: string;
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string;
  readonly header?: string;
  readonly code: string;
  readonly message: string;
}

/** A record that its caller must not know of. */
export interface HiddenRecord {
  readonly recordType: string;
  readonly recordId: string;
}

/**
 * A request that cannot be granted, or not now. The API responds with a problem. `code` is in the catalogue of problems; `message` says what
 * failed, why, and what to do.
 */
export class DomainError extends ExpectedError {
  static override readonly [className]: string = "DomainError";
  override readonly name: string = "DomainError";
  readonly kind: ErrorKind;
  readonly code: ProblemCode;
  readonly issues: readonly InputIssue[];
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The existing record that this not-found hides from its caller. For the audit log only, never for a response. */
  readonly hides: HiddenRecord | undefined;

  constructor(
    kind: ErrorKind,
    code: ProblemCode,
    message: string,
    details: {
      issues?: readonly InputIssue[];
      retryAfterSeconds?: number;
      cause?: unknown;
      hides?: HiddenRecord;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = code;
    this.issues = details.issues ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.hides = details.hides;
  }
}

/** The attempt no longer owns its report: another attempt, a cancel or a delete came first. Write nothing more. */
export class FencedOutError extends ExpectedError {
  static override readonly [className]: string = "FencedOutError";
  override readonly name = "FencedOutError";
  constructor(reportId: string, attempt: number) {
    super(`Attempt ${attempt} no longer owns report ${reportId}.`);
  }
}

/** A stored file is missing. The reader decides whether it is lost or not yet stored. */
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
 * A store (database or files) is unreachable or does not respond in time. A retry makes sense: the API responds with 503, and the
 * worker retries without spending a failure. Report types throw it if their source is unavailable.
 */
export class StoreUnavailableError extends ExpectedError {
  static override readonly [className]: string = "StoreUnavailableError";
  override readonly name: string = "StoreUnavailableError";
}

/**
 * It is unknown whether a change took place: Postgres did not confirm its COMMIT, because a synchronous standby or Postgres itself does not
 * respond. The change may become visible later. The API responds with 503 `outcome-unknown`.
 */
export class OutcomeUnknownError extends StoreUnavailableError {
  static override readonly [className]: string = "OutcomeUnknownError";
  override readonly name: string = "OutcomeUnknownError";
}

/**
 * The file store is not the one of the database's records (another folder or bucket, an empty one, or another deployment's). Nothing in
 * it may be written or removed, and files that it lacks are not lost.
 */
export class StoreMismatchError extends StoreUnavailableError {
  static override readonly [className]: string = "StoreMismatchError";
  override readonly name: string = "StoreMismatchError";
}

/**
 * The database ended an attempt for a reason that may recur: a limit of its settings, a full disk, a rule that the query breaks. Spends one
 * of the report's failures. `message` names the reason and is shown to the requester when no failure is left.
 */
export class StoreLimitError extends ExpectedError {
  static override readonly [className]: string = "StoreLimitError";
  override readonly name = "StoreLimitError";
}

/** Parts of a worker's own host on which attempts depend: scratch disk, renderer processes, connection to the file store. */
export const hostParts = ["spool", "renderers", "store"] as const;
export type HostPart = (typeof hostParts)[number];

/** A part of the worker's host failed. The report is requeued at no cost, and the worker rests until the part works. */
export class HostFailureError extends StoreUnavailableError {
  static override readonly [className]: string = "HostFailureError";
  override readonly name: string = "HostFailureError";
  readonly part: HostPart;
  constructor(part: HostPart, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.part = part;
  }
}

/**
 * Ends a report immediately, because a retry cannot succeed. `message` is shown to the requester. Report types throw it, mostly with
 * `INVALID_DATA`, when they cannot give the requested rows.
 */
export class PermanentReportError extends ExpectedError {
  static override readonly [className]: string = "PermanentReportError";
  override readonly name = "PermanentReportError";
  readonly code: ReportErrorCode;
  constructor(code: ReportErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Another worker, or this one later, can run the report. It is requeued without a spent attempt. `message` is for logs. */
export class ReportNotServedError extends ExpectedError {
  static override readonly [className]: string = "ReportNotServedError";
  override readonly name = "ReportNotServedError";
  readonly because: RequeueCause;
  constructor(because: RequeueCause, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.because = because;
  }
}

/** The renderer died (crash, out of memory). Spends one of the report's failures. */
export class RendererCrashError extends ExpectedError {
  static override readonly [className]: string = "RendererCrashError";
  override readonly name = "RendererCrashError";
  readonly code: "RENDERER_CRASHED" | "OUT_OF_MEMORY";
  constructor(code: "RENDERER_CRASHED" | "OUT_OF_MEMORY", message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The process is shutting down. The attempt is requeued immediately and spends nothing. */
export class ShutdownError extends ExpectedError {
  static override readonly [className]: string = "ShutdownError";
  override readonly name = "ShutdownError";
}
