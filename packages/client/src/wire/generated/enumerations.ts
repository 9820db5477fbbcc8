// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { Open } from "../open.ts";

/** State that the operators set for the proxy. */
export type AdminState = Open<"ENABLED" | "DISABLED" | "DRAINING" | "MAINTENANCE">;

/** Algorithm and size of the certificate's key. */
export type CertKeyType = Open<
  "RSA2048" | "RSA3072" | "RSA4096" | "ECDSA-P256" | "ECDSA-P384" | "ECDSA-P521" | "ED25519"
>;

/** Alignment of a column in pdf and xlsx. */
export type ColumnAlignment = Open<"start" | "center" | "end">;

/** Kind of the values of a column. */
export type ColumnKind = Open<
  | "text"
  | "integer"
  | "bigint"
  | "decimal"
  | "ratio"
  | "bytes"
  | "duration"
  | "boolean"
  | "timestamp"
  | "date"
  | "time"
  | "list"
>;

/** Meaning of a value, which pdf and xlsx show as a colour. */
export type ColumnTone = Open<"good" | "warn" | "bad" | "muted">;

/** Compression of the file. */
export type Compression = Open<"none" | "gzip" | "zstd">;
/** The values that this version knows. */
export const compressions = ["none", "gzip", "zstd"] as const;

/** Type of the event. Later versions can add types. */
export type DeliveredEventType = Open<
  "report.succeeded" | "report.failed" | "report.cancelled" | "report.expired" | "schedule.paused" | "webhook.test"
>;

/**
 * Why the last attempt failed, or why the event was not sent. BAD_STATUS: The receiver answered with a status other
 * than 2xx. REDIRECTED: The receiver answered with a redirect, which is never followed. GONE: The receiver answered 410
 * Gone. TIMED_OUT: The receiver did not answer within 15 s, the host name was not resolved within 5 s, or the
 * connection was not made within 5 s more. ADDRESS_FORBIDDEN: The service may not send to the url, or may no longer do
 * so. NAME_NOT_FOUND: The host name, which the deployment allows by name, has no address. TLS_FAILED: The receiver's
 * certificate could not be verified. CONNECTION_FAILED: There was no connection, or it broke. For example, no server
 * listens at the address, or the host name has no address to which the service may connect. TOO_MANY: The webhook
 * already had the highest allowed number of waiting deliveries. AUTHORITY_LOST: The webhook's owner may no longer see
 * the report or schedule of the event. Later versions can add codes.
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

/**
 * State of the delivery. PENDING: an attempt is due at nextTryAt. DELIVERED: the receiver accepted the event. FAILED:
 * the last attempt failed. DROPPED: the event was not sent.
 */
export type DeliveryStatus = Open<"PENDING" | "DELIVERED" | "FAILED" | "DROPPED">;
/** The values that this version knows. */
export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "DROPPED"] as const;

/** State of the domain. */
export type DomainStatus = Open<"PENDING" | "ACTIVE" | "SUSPENDED" | "FAILED">;

/** Environment to which the proxy belongs. */
export type Environment = Open<"PROD" | "STAGING" | "DEV">;

/** Why the run started no report; null if it started one. Later versions can add codes. */
export type FireCause = Open<
  | "MISSED"
  | "OVERLOADED"
  | "PREVIOUS_STILL_RUNNING"
  | "AUTHORITY_REVOKED"
  | "OWNER_NOT_SEEN"
  | "KEEPS_FAILING"
  | "UNKNOWN_REPORT_TYPE"
  | "INVALID_PARAMETERS"
>;

/**
 * Outcome of the run. STARTED: it started a report. SKIPPED: its time passed without a start. REFUSED: the service does
 * not accept the start.
 */
export type FireOutcome = Open<"STARTED" | "SKIPPED" | "REFUSED">;

/** Result of the latest probe. UNKNOWN: No probe has reported the health of the proxy. */
export type Health = Open<"UP" | "DEGRADED" | "DOWN" | "UNKNOWN">;

/** Language of the words in pdf and xlsx (BCP 47). */
export type Language = Open<"en" | "de" | "fr" | "nl" | "es" | "pl">;
/** The values that this version knows. */
export const languages = ["en", "de", "fr", "nl", "es", "pl"] as const;

/**
 * Treatment of missed times, at which no worker was running. LATEST: it runs the newest missed time, if that is recent
 * enough (missedWithinSeconds). SKIP: it runs none.
 */
export type MissedPolicy = Open<"LATEST" | "SKIP">;

/** Orientation of the pages of a pdf. auto: portrait if the columns fit, else landscape. */
export type Orientation = Open<"auto" | "portrait" | "landscape">;
/** The values that this version knows. */
export const orientations = ["auto", "portrait", "landscape"] as const;

/**
 * Whether a time is skipped because of unfinished reports of the schedule. SKIP: if there is one. ALLOW: if there are
 * three. Runs by hand are never skipped.
 */
export type OverlapPolicy = Open<"SKIP" | "ALLOW">;

/** Paper size of a pdf, and of a printed xlsx. */
export type Paper = Open<"A4" | "LETTER">;
/** The values that this version knows. */
export const papers = ["A4", "LETTER"] as const;

/** Name of the type of a problem, for programs. /problems explains each code. Later versions can add codes. */
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
  | "filter-values-not-found"
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

/** Current step of the report. */
export type ProgressPhase = Open<"waiting" | "querying" | "rendering" | "storing" | "done">;

/**
 * Role of the proxy. REVERSE: The proxy accepts requests for servers. FORWARD: The proxy sends requests of clients.
 * STREAM: The proxy forwards connections.
 */
export type ProxyKind = Open<"REVERSE" | "FORWARD" | "STREAM">;

/** Protocol between clients and the proxy. */
export type ProxyProtocol = Open<"HTTP" | "HTTPS" | "TCP" | "SOCKS5">;

/** Software of the proxy. */
export type ProxySoftware = Open<"NGINX" | "HAPROXY" | "CADDY" | "TRAEFIK" | "ENVOY" | "SQUID" | "OTHER">;

/** Why the report failed. Later versions can add codes. */
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
 * Cause of the transition. FILE_DAMAGED: the report EXPIRED before the end of its retention, because its file is
 * damaged. Every other value says why a worker requeued the report.
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

/** State after the transition. DELETED: the report was deleted. */
export type ReportEventTarget = Open<
  "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "EXPIRED" | "DELETED"
>;

/** Format of the file. */
export type ReportFormat = Open<"pdf" | "xlsx" | "csv" | "json" | "ndjson">;
/** The values that this version knows. */
export const reportFormats = ["pdf", "xlsx", "csv", "json", "ndjson"] as const;

/**
 * Lane of the queue. quick: short reports. bulk: long reports. suspect: quarantined reports, each of which runs alone
 * on its worker.
 */
export type ReportLane = Open<"quick" | "bulk" | "suspect">;

/** State of a report. */
export type ReportStatus = Open<"QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "EXPIRED">;
/** The values that this version knows. */
export const reportStatuses = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"] as const;

/**
 * DATA_BEHIND: The rows are older than the report: the replica that they were read from was behind its primary.
 * TEXTS_SHORTENED: Texts were shortened, because the format limits their length. Other formats contain the whole texts.
 * LINKS_OMITTED: Values are text without a link, because a sheet of xlsx can have 65,530 links. Other formats contain
 * every URL. NOT_TAGGED: The pdf is not tagged for screen readers, because it has many rows and accessible was not set
 * to true. ROWS_NOT_GROUPED: The rows are sorted by the column of groupBy first, but are not shown in groups. The
 * format has no groups, or the column was left out. SUBTOTALS_OMITTED: The subtotals were left out, because the report
 * has more groups than the format can list. SNAPSHOT_NOT_GLOBAL: The rows come from several servers, each read at a
 * different moment. If data changed in between, the report can contain a part of the change. NO_SNAPSHOT: The rows come
 * from a database without snapshots. Figures and rows were read one after another, and can differ if data changed in
 * between. OTHER: A warning of an older version of the service, which gave no codes. Later versions can add codes.
 */
export type ReportWarningCode = Open<
  | "DATA_BEHIND"
  | "TEXTS_SHORTENED"
  | "LINKS_OMITTED"
  | "NOT_TAGGED"
  | "ROWS_NOT_GROUPED"
  | "SUBTOTALS_OMITTED"
  | "SNAPSHOT_NOT_GLOBAL"
  | "NO_SNAPSHOT"
  | "OTHER"
>;

/**
 * Origin of the number of rows. EXACT: the rows were counted. PLANNED: the planner of the database expects them.
 * PREVIOUS: the latest report of the type with the same filters had them. Null if rows is null.
 */
export type RowsAre = Open<"PLANNED" | "EXACT" | "PREVIOUS">;

/** Why the schedule is paused. Later versions can add codes. */
export type SchedulePauseCause = Open<
  "REQUESTED" | "AUTHORITY_REVOKED" | "OWNER_NOT_SEEN" | "KEEPS_FAILING" | "UNKNOWN_REPORT_TYPE" | "INVALID_PARAMETERS"
>;

/**
 * State of the schedule. ACTIVE: it runs at its times. PAUSED: it does not run until a caller resumes it. ENDED: it has
 * no further time.
 */
export type ScheduleStatus = Open<"ACTIVE" | "PAUSED" | "ENDED">;

/** Lowest TLS version that the proxy accepts for the domain. */
export type TlsMinVersion = Open<"TLS1.0" | "TLS1.1" | "TLS1.2" | "TLS1.3">;

/**
 * Where TLS ends. NONE: TLS is not used. ACME: TLS ends at the proxy, with a certificate from ACME. CUSTOM: TLS ends at
 * the proxy, with a certificate that does not come from ACME. PASSTHROUGH: TLS ends at the upstream.
 */
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
 * REQUESTED: A caller has paused it. GONE: The receiver answered 410 Gone. FAILING: Every attempt of five days has
 * failed. OWNER_NOT_SEEN: For too long no request of the owner has shown that they still have their authorities. Resume
 * it as the owner, or after such a request. SECRET_UNREADABLE: No running worker had the key of its secret for an hour.
 * Resume it once the key is back. If the key is lost, rotate the secret first. Later versions can add codes.
 */
export type WebhookPauseCause = Open<"REQUESTED" | "GONE" | "FAILING" | "OWNER_NOT_SEEN" | "SECRET_UNREADABLE">;

/** Reports whose events are sent. OWN: those of the owner. ALL: all reports, for holders of REPORTS_ADMIN. */
export type WebhookScope = Open<"OWN" | "ALL">;

/** State of the webhook. ACTIVE: events are sent. PAUSED: events wait until it is ACTIVE again. */
export type WebhookStatus = Open<"ACTIVE" | "PAUSED">;
/** The values that this version knows. */
export const webhookStatuses = ["ACTIVE", "PAUSED"] as const;
