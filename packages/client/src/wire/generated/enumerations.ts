// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { Open } from "../open.ts";

/** State that the operators set for a proxy. */
export type AdminState = Open<"ENABLED" | "DISABLED" | "DRAINING" | "MAINTENANCE">;

/** Algorithm and size of a certificate's key. */
export type CertKeyType = Open<
  "RSA2048" | "RSA3072" | "RSA4096" | "ECDSA-P256" | "ECDSA-P384" | "ECDSA-P521" | "ED25519"
>;

/** Kind of the values of a column. */
export type ColumnKind = Open<
  "text" | "integer" | "bigint" | "decimal" | "ratio" | "bytes" | "boolean" | "timestamp" | "date" | "list"
>;

/** How a report's file is compressed. */
export type Compression = Open<"none" | "gzip" | "zstd">;
/** The values that this version knows. */
export const compressions = ["none", "gzip", "zstd"] as const;

/** Type of the event that is delivered. */
export type DeliveredEventType = Open<
  "report.succeeded" | "report.failed" | "report.cancelled" | "report.expired" | "schedule.paused" | "webhook.test"
>;

/**
 * BAD_STATUS: The receiver answered with a status other than 2xx. REDIRECTED: The receiver answered with a redirect,
 * which is never followed. GONE: The receiver answered 410 Gone. TIMED_OUT: The receiver did not answer within 15 s, or
 * its host name was not resolved within 5 s, or there was no connection after 5 s more. ADDRESS_FORBIDDEN: The url is
 * not one that the service may send to, or not any more. NAME_NOT_FOUND: The host name, which the deployment allows by
 * name, has no address. TLS_FAILED: The receiver's certificate could not be verified. CONNECTION_FAILED: There was no
 * connection, or it broke: no server listens at the address, or the host name resolves to no address to which the
 * service may connect. TOO_MANY: More deliveries were waiting for this webhook than may wait. AUTHORITY_LOST: The
 * webhook's owner may no longer know of it.
 */
export type DeliveryErrorCode = Open<
  | "BAD_STATUS"
  | "REDIRECTED"
  | "GONE"
  | "TIMED_OUT"
  | "ADDRESS_FORBIDDEN"
  | "NAME_NOT_FOUND"
  | "TLS_FAILED"
  | "CONNECTION_FAILED"
  | "TOO_MANY"
  | "AUTHORITY_LOST"
>;

/** State of a delivery. Only a PENDING one is attempted. */
export type DeliveryStatus = Open<"PENDING" | "DELIVERED" | "FAILED" | "DROPPED">;
/** The values that this version knows. */
export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "DROPPED"] as const;

/** State of a domain. */
export type DomainStatus = Open<"PENDING" | "ACTIVE" | "SUSPENDED" | "FAILED">;

/** Which environment a proxy belongs to. */
export type Environment = Open<"PROD" | "STAGING" | "DEV">;

/** Why nothing was started. */
export type FireCause = Open<
  | "MISSED"
  | "OVERLOADED"
  | "PREVIOUS_STILL_RUNNING"
  | "INVALID_PARAMETERS"
  | "AUTHORITY_REVOKED"
  | "OWNER_NOT_SEEN"
  | "KEEPS_FAILING"
  | "UNKNOWN_REPORT_TYPE"
>;

/** One run of a schedule: a time and its outcome. */
export type FireOutcome = Open<"STARTED" | "SKIPPED" | "REFUSED">;

/** Result of the latest probe. */
export type Health = Open<"UP" | "DEGRADED" | "DOWN" | "UNKNOWN">;

/** How missed times are treated: times at which no worker was running. */
export type MissedPolicy = Open<"LATEST" | "SKIP">;

/** Which way round the pages of a pdf are; auto is portrait where the columns fit. */
export type Orientation = Open<"auto" | "portrait" | "landscape">;
/** The values that this version knows. */
export const orientations = ["auto", "portrait", "landscape"] as const;

/** What to do if the previous report is still running. */
export type OverlapPolicy = Open<"SKIP" | "ALLOW">;

/** The paper of a pdf, and on which an xlsx is printed. */
export type Paper = Open<"A4" | "LETTER">;
/** The values that this version knows. */
export const papers = ["A4", "LETTER"] as const;

/** The type of a problem; /problems explains each. */
export type ProblemCode = Open<
  | "malformed-request"
  | "bad-request"
  | "malformed-path"
  | "malformed-body"
  | "invalid-header"
  | "idempotency-key-not-supported"
  | "invalid-parameters"
  | "invalid-report-type"
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
  | "query-too-long"
  | "too-many-starts"
  | "too-many-unfinished"
  | "too-many-failed-logins"
  | "too-many-unknown-links"
  | "too-many-requests"
  | "too-many-downloads"
  | "too-many-lists"
  | "too-many-previews"
  | "too-many-watches"
  | "too-many-secrets"
  | "overloaded"
  | "request-header-fields-too-large"
  | "internal-error"
  | "dependency-unavailable"
  | "outcome-unknown"
  | "list-too-slow"
  | "preview-too-slow"
  | "issuer-unavailable"
  | "report-file-unverified"
  | "store-mismatch"
  | "too-many-bodies"
  | "body-capacity-reached"
  | "login-busy"
  | "not-ready"
  | "webhook-key-not-held"
  | "too-much-contention"
  | "unavailable"
>;

/** Current step of a running report. */
export type ProgressPhase = Open<"waiting" | "querying" | "rendering" | "storing" | "done">;

/** Role of a proxy: it accepts requests for servers, sends requests of clients, or forwards connections. */
export type ProxyKind = Open<"REVERSE" | "FORWARD" | "STREAM">;

/** Protocol between clients and the proxy. */
export type ProxyProtocol = Open<"HTTP" | "HTTPS" | "TCP" | "SOCKS5">;

/** Software of the proxy. */
export type ProxySoftware = Open<"NGINX" | "HAPROXY" | "CADDY" | "TRAEFIK" | "ENVOY" | "SQUID" | "OTHER">;

/** Why a report failed. */
export type ReportErrorCode = Open<
  | "REPORT_TOO_LARGE"
  | "SPOOL_LIMIT_EXCEEDED"
  | "RUN_TIME_LIMIT_EXCEEDED"
  | "INVALID_DATA"
  | "UNKNOWN_REPORT_TYPE"
  | "AUTHORITY_REVOKED"
  | "ROWS_LOST"
  | "RENDERER_CRASHED"
  | "OUT_OF_MEMORY"
  | "DEPENDENCY_UNAVAILABLE"
  | "INTERNAL"
>;

/**
 * FILE_DAMAGED: why a report EXPIRED before its retention was over. All others: why a worker did not run it, so that it
 * waits.
 */
export type ReportEventCause = Open<
  | "FILE_DAMAGED"
  | "TYPE_UNKNOWN"
  | "VERSION_UNKNOWN"
  | "FORMAT_UNKNOWN"
  | "FILTER_UNKNOWN"
  | "COLUMN_UNKNOWN"
  | "TYPE_UNUSABLE"
  | "WORKER_IMPAIRED"
  | "SPOOL_TOO_SMALL"
  | "SOURCE_UNREACHABLE"
>;

/** The state that a transition leads to. */
export type ReportEventTarget = Open<
  "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "EXPIRED" | "DELETED"
>;

/** The format of a report's file. */
export type ReportFormat = Open<"pdf" | "xlsx" | "csv" | "json" | "ndjson">;
/** The values that this version knows. */
export const reportFormats = ["pdf", "xlsx", "csv", "json", "ndjson"] as const;

/** A lane of the queue: of short reports, of long ones, of those that run alone. */
export type ReportLane = Open<"quick" | "bulk" | "suspect">;

/** State of a report. */
export type ReportStatus = Open<"QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "EXPIRED">;
/** The values that this version knows. */
export const reportStatuses = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"] as const;

/**
 * DATA_BEHIND: The rows are older than the report: the replica that they were read from was behind its primary.
 * TEXTS_SHORTENED: Texts were shortened, because the format holds or shows only so much; other formats hold them whole.
 * NOT_TAGGED: The pdf is not tagged for screen readers, because it has many rows and accessible was not set to true.
 * ROWS_NOT_GROUPED: The rows are sorted by the column of groupBy first and not shown in groups: the format has none, or
 * the column was left out. SNAPSHOT_NOT_GLOBAL: The rows come from several servers, each read at a different moment.
 * The report may show a part of a change that was written meanwhile. NO_SNAPSHOT: The rows come from a database without
 * snapshots: figures and rows were read one after another, and may differ by what was written meanwhile. OTHER:
 * Something else; said by a version of the service that gave no codes.
 */
export type ReportWarningCode = Open<
  | "DATA_BEHIND"
  | "TEXTS_SHORTENED"
  | "NOT_TAGGED"
  | "ROWS_NOT_GROUPED"
  | "SNAPSHOT_NOT_GLOBAL"
  | "NO_SNAPSHOT"
  | "OTHER"
>;

/**
 * EXACT: the rows were counted. PLANNED: the database's planner expects them. PREVIOUS: the latest report of the type
 * with the same filters had them. Null without rows.
 */
export type RowsAre = Open<"PLANNED" | "EXACT" | "PREVIOUS">;

/** Why a schedule is paused. */
export type SchedulePauseCause = Open<
  "REQUESTED" | "AUTHORITY_REVOKED" | "OWNER_NOT_SEEN" | "KEEPS_FAILING" | "UNKNOWN_REPORT_TYPE"
>;

/** Whether a schedule is running, is paused until a caller resumes it, or has ended. */
export type ScheduleStatus = Open<"ACTIVE" | "PAUSED" | "ENDED">;

/** The lowest version of TLS that is accepted. */
export type TlsMinVersion = Open<"TLS1.0" | "TLS1.1" | "TLS1.2" | "TLS1.3">;

/** Where TLS ends: not used, at the proxy (with a certificate from ACME or a custom one), or at the upstream. */
export type TlsMode = Open<"NONE" | "ACME" | "CUSTOM" | "PASSTHROUGH">;

/** Protocol between the proxy and the upstream. */
export type UpstreamScheme = Open<"HTTP" | "HTTPS" | "H2C" | "TCP">;

/** Types of events that a webhook can receive. */
export type WebhookEventType = Open<
  "report.succeeded" | "report.failed" | "report.cancelled" | "report.expired" | "schedule.paused"
>;
/** The values that this version knows. */
export const webhookEventTypes = [
  "report.succeeded",
  "report.failed",
  "report.cancelled",
  "report.expired",
  "schedule.paused",
] as const;

/**
 * REQUESTED: A caller has paused it. GONE: The receiver answered 410 Gone. FAILING: Every try of five days has failed.
 * OWNER_NOT_SEEN: For too long no request of the owner has shown that they still have their authorities. Resume it as
 * the owner, or after such a request. SECRET_UNREADABLE: No running worker had the key of its secret for an hour.
 * Resume it once the key is back. If the key is lost, rotate the secret first.
 */
export type WebhookPauseCause = Open<"REQUESTED" | "GONE" | "FAILING" | "OWNER_NOT_SEEN" | "SECRET_UNREADABLE">;

/** OWN: the owner's reports. ALL: the reports of all callers, for holders of REPORTS_ADMIN. */
export type WebhookScope = Open<"OWN" | "ALL">;

/** Whether events are sent. Events of a PAUSED webhook wait. */
export type WebhookStatus = Open<"ACTIVE" | "PAUSED">;
/** The values that this version knows. */
export const webhookStatuses = ["ACTIVE", "PAUSED"] as const;
