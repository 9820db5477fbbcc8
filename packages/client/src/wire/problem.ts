import type { Open } from "./open.ts";

/** What a problem of the gateway is; `/problems/{code}` explains each. docs/contract.md §7.1. */
export type ProblemCode = Open<
  | "malformed-request"
  | "bad-request"
  | "malformed-path"
  | "malformed-body"
  | "invalid-header"
  | "invalid-parameters"
  | "invalid-report-type"
  | "bad-cursor"
  | "too-many-connections"
  | "credentials-missing"
  | "credentials-invalid"
  | "authority-missing"
  | "not-the-requester"
  | "prefetch-refused"
  | "cross-site-refused"
  | "path-not-found"
  | "record-not-found"
  | "report-not-found"
  | "report-type-not-found"
  | "problem-not-found"
  | "report-cancelled"
  | "report-failed"
  | "file-not-found"
  | "link-not-found"
  | "webhook-not-found"
  | "method-not-allowed"
  | "not-acceptable"
  | "request-timeout"
  | "record-deleted"
  | "report-deleted"
  | "report-expired"
  | "report-file-lost"
  | "report-file-damaged"
  | "file-deleted"
  | "rows-gone"
  | "precondition-failed"
  | "body-too-large"
  | "unsupported-media-type"
  | "unsupported-content-coding"
  | "range-not-satisfiable"
  | "invalid-body"
  | "invalid-record"
  | "rows-not-kept"
  | "report-not-finished"
  | "too-many-files"
  | "file-of-the-report"
  | "too-many-schedules"
  | "schedule-ended"
  | "too-many-links"
  | "too-many-webhooks"
  | "preview-not-available"
  | "idempotency-key-reused"
  | "too-many-starts"
  | "too-many-unfinished"
  | "too-many-failed-logins"
  | "too-many-unknown-links"
  | "too-many-requests"
  | "too-many-downloads"
  | "too-many-lists"
  | "too-many-previews"
  | "too-many-watches"
  | "overloaded"
  | "request-header-fields-too-large"
  | "internal-error"
  | "dependency-unavailable"
  | "list-too-slow"
  | "preview-too-slow"
  | "issuer-unavailable"
  | "report-file-unverified"
  | "store-mismatch"
  | "too-many-bodies"
  | "body-room-taken"
  | "login-busy"
  | "not-ready"
  | "too-much-contention"
  | "unavailable"
>;

/** One thing that is wrong with a request, and where it stands. */
export interface Issue {
  /** Name of the query parameter that is wrong. */
  readonly parameter?: string | undefined;
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string | undefined;
  /** Name of the request header that is wrong. */
  readonly header?: string | undefined;
  readonly code: string;
  readonly message: string;
}

/** Why a request failed. RFC 9457. */
export interface Problem {
  /** Path of the page that explains this type of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** What failed, why, and what to do. */
  readonly detail: string;
  /** Path of the request. */
  readonly instance: string;
  /** Names the request in the gateway's logs. */
  readonly requestId: string;
  /** Everything that is wrong, twenty at most. */
  readonly errors: readonly Issue[];
}
