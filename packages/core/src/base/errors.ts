import type { ProblemCode } from "./problems/problem-catalogue.ts";
import type { HandBackCause, ReportErrorCode } from "./vocabulary.ts";

/** What a class of errors is called in every copy of this package. */
const className: unique symbol = Symbol.for("@reports/core/error-class") as never;
/** Which classes an error is of, its own first. */
const classNames: unique symbol = Symbol.for("@reports/core/error-classes") as never;

interface ErrorClass {
  readonly [className]?: string;
}

/**
 * The root of every failure that is expected of a program without faults: a wrong input, a store that is away, an attempt that was
 * overtaken. Each class says who takes it up. Anything else that is thrown is a fault of ours: the API answers it with 500, and the worker
 * tries the report again and spends one of its failures.
 *
 * A package of report types may come with a copy of this package of its own. So `instanceof` asks what an error is called, and not which
 * copy made it; a class that says nothing is told from others as usual.
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

/**
 * What kind of failure a DomainError is. The API maps each kind to one HTTP status, in one table.
 */
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
/** What kind of failure a DomainError is. */
export type ErrorKind = (typeof errorKinds)[number];

/** One thing that is wrong with an input: where it stands, a stable code, and a sentence saying what is allowed. */
export interface InputIssue {
  /** Name of the query parameter that is wrong. */
  readonly parameter?: string;
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string;
  /** Name of the request header that is wrong. */
  readonly header?: string;
  readonly code: string;
  readonly message: string;
}

/** A record that its caller may not know of. */
export interface HiddenRecord {
  readonly recordType: string;
  readonly recordId: string;
}

/**
 * A request that cannot be granted, or not now; the API answers it with a problem. `code` stands in the catalogue of problems, and `message`
 * says what failed, why, and what to do.
 */
export class DomainError extends ExpectedError {
  static override readonly [className]: string = "DomainError";
  override readonly name: string = "DomainError";
  readonly kind: ErrorKind;
  readonly code: ProblemCode;
  readonly issues: readonly InputIssue[];
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The record that is there and that this not-found keeps from its caller: for the audit log alone, never for an answer. */
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

/** The attempt no longer owns its report: another attempt, a cancel or a delete came first. Whoever catches it writes nothing more. */
export class FencedOutError extends ExpectedError {
  static override readonly [className]: string = "FencedOutError";
  override readonly name = "FencedOutError";
  constructor(reportId: string, attempt: number) {
    super(`Attempt ${attempt} no longer owns report ${reportId}.`);
  }
}

/** A stored file is not there (any more). Whoever reads a file takes it up and says what that means: lost, or not yet stored. */
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
 * A store (database or files) cannot be reached or does not answer in time. The cause can pass: trying again is right. The API answers
 * 503, the worker tries the report again without spending a failure. What a report type throws when the place of its rows is away.
 */
export class StoreUnavailableError extends ExpectedError {
  static override readonly [className]: string = "StoreUnavailableError";
  override readonly name: string = "StoreUnavailableError";
}

/**
 * It is not known whether a change took place: Postgres has not confirmed its COMMIT, because a synchronous standby or Postgres itself does not
 * answer. The change may become visible later. The API answers 503 `outcome-unknown`.
 */
export class OutcomeUnknownError extends StoreUnavailableError {
  static override readonly [className]: string = "OutcomeUnknownError";
  override readonly name: string = "OutcomeUnknownError";
}

/**
 * The file store that this process sees is not the one that the database's records speak of (another folder or bucket, an empty one, or
 * one that another deployment uses). Nothing in it may be written or removed, and what it lacks is not lost.
 */
export class StoreMismatchError extends StoreUnavailableError {
  static override readonly [className]: string = "StoreMismatchError";
  override readonly name: string = "StoreMismatchError";
}

/**
 * The database ended an attempt for a reason that may be there at every attempt: a limit of its settings, a full disk, a rule that the query
 * breaks. It spends one of the report's failures. `message` names the reason, and is shown to the requester when no failure is left.
 */
export class StoreLimitError extends ExpectedError {
  static override readonly [className]: string = "StoreLimitError";
  override readonly name = "StoreLimitError";
}

/** Parts of a worker's own host that attempts depend on: its scratch disk, its renderer processes, and its way to the file store. */
export const hostParts = ["spool", "renderers", "store"] as const;
export type HostPart = (typeof hostParts)[number];

/**
 * A part of the worker's own host failed. The report is not to blame, and another worker can make it: it is requeued and spends nothing,
 * and the worker takes no reports until the part works again.
 */
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
 * Ends a report at once: trying the same again cannot succeed. `message` is shown to the requester. What a report type throws while it
 * gives its rows, mostly with `INVALID_DATA`: the rows cannot be had as they were asked for.
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

/**
 * This worker cannot run the report, and another one, or this one later, can: it is handed back and spends nothing. `message` is for logs.
 */
export class ReportNotServedError extends ExpectedError {
  static override readonly [className]: string = "ReportNotServedError";
  override readonly name = "ReportNotServedError";
  readonly because: HandBackCause;
  constructor(because: HandBackCause, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.because = because;
  }
}

/** The renderer died (crash, out of memory): it spends one of the report's failures. */
export class RendererCrashError extends ExpectedError {
  static override readonly [className]: string = "RendererCrashError";
  override readonly name = "RendererCrashError";
  readonly code: "RENDERER_CRASHED" | "OUT_OF_MEMORY";
  constructor(code: "RENDERER_CRASHED" | "OUT_OF_MEMORY", message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The process is shutting down: the attempt is handed back at once and spends nothing. */
export class ShutdownError extends ExpectedError {
  static override readonly [className]: string = "ShutdownError";
  override readonly name = "ShutdownError";
}
