import type { ProblemCode } from "./wire/generated/enumerations.ts";
import type { Issue } from "./wire/generated/problem.ts";
import type { Report, ReportError } from "./wire/generated/report.ts";

/**
 * Codes of errors that the client itself detects. `unreachable`: no response, or a response that broke off. `unexpected-answer`: a response
 * that does not come from the gateway. `wrong-file`: a file that differs from its record.
 */
export type ClientErrorCode = "unreachable" | "unexpected-answer" | "wrong-file";

export interface GatewayErrorDetails {
  readonly status: number;
  readonly code: ProblemCode | ClientErrorCode;
  readonly detail: string;
  readonly requestId?: string | null;
  readonly issues?: readonly Issue[];
  readonly retryAfterSeconds?: number | null;
}

/** The error for a failed request. docs/reference/http.md#errors. */
export class GatewayError extends Error implements GatewayErrorDetails {
  override readonly name = "GatewayError";
  /** The HTTP status of the response, or 0 for `unreachable` and `wrong-file`. */
  declare readonly status: number;
  declare readonly code: ProblemCode | ClientErrorCode;
  /** A text for people that says what failed, why, and what to do. */
  declare readonly detail: string;
  /** The ID of the request in the logs of the gateway, or null if no response named one. */
  declare readonly requestId: string | null;
  /** The errors of single fields, parameters and headers of the request, at most 20. */
  declare readonly issues: readonly Issue[];
  /** The number of seconds after which the gateway allows a retry, or null if it named none. */
  declare readonly retryAfterSeconds: number | null;

  constructor(details: GatewayErrorDetails, options?: ErrorOptions) {
    const { status, code, detail } = details;
    super(status === 0 ? detail : `${status} ${code}: ${detail}`, options);
    Object.assign(this, { requestId: null, issues: [], retryAfterSeconds: null, ...details });
  }
}

export function unreachableError(detail: string, cause?: unknown): GatewayError {
  return new GatewayError({ status: 0, code: "unreachable", detail }, { cause });
}

/** The error for a report that ended without a file: FAILED, CANCELLED or EXPIRED. */
export class ReportFailedError extends Error {
  override readonly name = "ReportFailedError";
  declare readonly report: Report;
  /** The error of a failed report. Null for a cancelled or expired report. */
  declare readonly error: ReportError | null;

  constructor(report: Report) {
    super(`The report ${report.id} is ${report.status}${report.error === null ? "" : `: ${report.error.detail}`}`);
    this.report = report;
    this.error = report.error;
  }
}

/** The error for a report that did not end within the `timeoutMs` of a wait. The report keeps running. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  readonly reportId: string;

  constructor(reportId: string, timeoutMs: number) {
    super(`The report ${reportId} did not end within ${timeoutMs} ms. It continues.`);
    this.reportId = reportId;
  }
}
