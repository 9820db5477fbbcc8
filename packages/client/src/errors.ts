import type { ProblemCode } from "./wire/generated/enumerations.ts";
import type { Issue } from "./wire/generated/problem.ts";
import type { Report, ReportError } from "./wire/generated/report.ts";

/**
 * What the client itself finds: no response (`unreachable`, with the status 0), an response that is not the gateway's (`unexpected-answer`),
 * a file other than the one that the record describes (`wrong-file`).
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

/** A request that failed. docs/reference/http.md#errors. */
export class GatewayError extends Error implements GatewayErrorDetails {
  override readonly name = "GatewayError";
  /** Of the response; 0 where there was none. */
  declare readonly status: number;
  declare readonly code: ProblemCode | ClientErrorCode;
  /** What failed, why, and what to do. */
  declare readonly detail: string;
  /** Names the request in the gateway's logs. */
  declare readonly requestId: string | null;
  /** Everything that is wrong with the request, twenty at most. */
  declare readonly issues: readonly Issue[];
  /** When it may be tried again, in seconds. */
  declare readonly retryAfterSeconds: number | null;

  constructor(details: GatewayErrorDetails, options?: ErrorOptions) {
    const { status, code, detail } = details;
    super(status === 0 ? detail : `${status} ${code}: ${detail}`, options);
    Object.assign(this, { requestId: null, issues: [], retryAfterSeconds: null, ...details });
  }
}

/** Nobody answered, or the response broke off. */
export function unreachable(detail: string, cause?: unknown): GatewayError {
  return new GatewayError({ status: 0, code: "unreachable", detail }, { cause });
}

/** A report that ended without a file: FAILED, CANCELLED, EXPIRED. */
export class ReportFailedError extends Error {
  override readonly name = "ReportFailedError";
  declare readonly report: Report;
  /** The report's own error; null of one that did not fail, but was cancelled or has expired. */
  declare readonly error: ReportError | null;

  constructor(report: Report) {
    super(`The report ${report.id} is ${report.status}${report.error === null ? "" : `: ${report.error.detail}`}`);
    this.report = report;
    this.error = report.error;
  }
}

/** A wait that was over before its report. The report goes on. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
  readonly reportId: string;

  constructor(reportId: string, timeoutMs: number) {
    super(`The report ${reportId} did not end within ${timeoutMs} ms. It continues.`);
    this.reportId = reportId;
  }
}
