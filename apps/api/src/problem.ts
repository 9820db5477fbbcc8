import { STATUS_CODES } from "node:http";
import {
  truncateText,
  DomainError,
  ExpectedError,
  truncateIssues,
  CommitOutcomeUnknownError,
  SourceUnavailableError,
  StoreMismatchError,
  StoreUnavailableError,
  type ErrorKind,
  type InputIssue,
} from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { ProblemCode } from "@reports/core/wire";
import { authenticationChallenges } from "@reports/auth";
import { formatRateLimitFields } from "./limits/rate-limit-fields.ts";

const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  "bad-request": 400,
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  gone: 410,
  "not-acceptable": 406,
  "precondition-failed": 412,
  invalid: 422,
  "rate-limited": 429,
  unavailable: 503,
};

/** An error that only HTTP can have, such as an unsupported method or an invalid range. */
export class HttpProblem extends ExpectedError {
  override readonly name = "HttpProblem";
  readonly status: number;
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly issues: readonly InputIssue[];

  constructor(
    status: number,
    code: ProblemCode,
    message: string,
    details: { readonly headers?: Readonly<Record<string, string>>; readonly issues?: readonly InputIssue[] } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = details.headers ?? {};
    this.issues = details.issues ?? [];
  }
}

export interface ProblemReply {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly InputIssue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly isBug: boolean;
}

/** Returns the response to an error. Answers an unexpected error with a 500 that contains no details of it. */
export function toProblemReply(error: unknown): ProblemReply {
  if (error instanceof HttpProblem || error instanceof DomainError) {
    const { code, message: detail, issues: errors } = error;
    const status = error instanceof HttpProblem ? error.status : statusOfKind[error.kind];
    const headers = error instanceof HttpProblem ? error.headers : problemHeadersOf(status, error);
    return { status, code, detail, errors, headers, isBug: false };
  }
  if (error instanceof StoreMismatchError)
    return unavailableReply(
      "store-mismatch",
      30,
      "The configured file store is not the one that this service's database belongs to, so the file is unavailable for now. It is not lost. Try again later.",
    );
  if (error instanceof CommitOutcomeUnknownError)
    return unavailableReply(
      "outcome-unknown",
      5,
      "The database has not confirmed the change. It is not known whether it takes place. Repeat the request with the same Idempotency-Key.",
    );
  if (error instanceof StoreUnavailableError) {
    const missing =
      error instanceof SourceUnavailableError ? `the data source of ${error.reportType}` : "its database or file store";
    const detail = `The service cannot reach ${missing} at the moment. Try again shortly.`;
    return unavailableReply("dependency-unavailable", 5, detail);
  }
  const status = httpErrorStatus(error);
  if (status !== undefined) {
    const detail = `${STATUS_CODES[status]}.`;
    return { status, code: codeOfHttpError[status]!, detail, errors: [], headers: {}, isBug: false };
  }
  const detail =
    "An internal error occurred; it is not known whether the request had an effect. Report the requestId if it happens again.";
  return { status: 500, code: "internal-error", detail, errors: [], headers: {}, isBug: true };
}

function unavailableReply(code: ProblemCode, retryAfterSeconds: number, detail: string): ProblemReply {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return { status: 503, code, detail, errors: [], headers, isBug: false };
}

/**
 * Maximum lengths in characters. A longer `instance` becomes an empty text, because a shortened path would name another resource. A longer `detail`
 * is shortened.
 */
const maxInstanceLength = 1_000;
const maxDetailLength = 8_000;

/** Returns the problem document (RFC 9457) of an error response, with at most 16 KiB. `at.instance` is the request's path without the base path. */
export function createProblemDocument(
  reply: ProblemReply,
  at: { readonly instance: string; readonly requestId: string; readonly basePath: string },
): Record<string, unknown> {
  return {
    type: `${at.basePath}/problems/${reply.code}`,
    title: titleOfCode(reply.code),
    status: reply.status,
    code: reply.code,
    detail: truncateText(reply.detail, maxDetailLength),
    instance: at.instance === "" || at.instance.length > maxInstanceLength ? "" : `${at.basePath}${at.instance}`,
    requestId: at.requestId,
    errors: truncateIssues(reply.errors).listed,
  };
}

function problemHeadersOf(status: number, error: DomainError): Record<string, string> {
  return {
    ...(status === 401 ? { "WWW-Authenticate": authenticationChallenges } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) }),
    ...(error instanceof RateLimitedError ? formatRateLimitFields(error.quotas) : {}),
  };
}

const codeOfHttpError: Readonly<Record<number, ProblemCode>> = {
  400: "bad-request",
  404: "path-not-found",
  405: "method-not-allowed",
  406: "not-acceptable",
  408: "request-timeout",
  413: "body-too-large",
  415: "unsupported-media-type",
};

/** Returns the status of a 4xx error that Koa or its parsers throw; 400 for a 4xx without a problem code. Returns undefined for other errors. */
function httpErrorStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  const { status } = error;
  if (typeof status !== "number" || status < 400 || status > 499) return undefined;
  return Object.hasOwn(codeOfHttpError, status) ? status : 400;
}

function titleOfCode(code: ProblemCode): string {
  const words = code.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
