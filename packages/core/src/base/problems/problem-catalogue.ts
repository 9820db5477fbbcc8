import { keysOf } from "../keys-of.ts";
import { renditionProblemTypes } from "./rendition-problem-types.ts";
import { scheduleProblemTypes } from "./schedule-problem-types.ts";
import { limitProblemTypes } from "./limit-problem-types.ts";
import { retryHint, type ProblemType } from "./problem-type.ts";

/** Every problem type of the API, by code. The API serves each one at `/problems/{code}` (RFC 9457, section 3.1.1). */
export const problemCatalogue = {
  "malformed-request": {
    status: 400,
    meaning: "The request is not well-formed HTTP.",
    remedy: "Check what the client, or a proxy in between, sends.",
  },
  "bad-request": {
    status: 400,
    meaning: "The request is incomplete or cannot be parsed.",
    remedy: "Send the complete request again.",
  },
  "malformed-path": { status: 400, meaning: "The path is not percent-encoded UTF-8.", remedy: "Encode each segment." },
  "malformed-body": {
    status: 400,
    meaning:
      "The body is not JSON, or JSON that parsers read in different ways: a key twice, a number that would be rounded, invalid UTF-8, deep nesting.",
    remedy: "Send one JSON value in UTF-8.",
  },
  "invalid-header": {
    status: 400,
    meaning: "A request header cannot be read.",
    remedy: "errors names the header and its form.",
  },
  "idempotency-key-not-supported": {
    status: 400,
    meaning: "The request carries an Idempotency-Key, and this endpoint does not support keys; nothing was done.",
    remedy:
      "Send the request without the header. If its response was lost, look for the record before you send it again.",
  },
  "invalid-parameters": {
    status: 400,
    meaning:
      "Parameters are unknown, repeated or wrong, or a cursor was made for another list, filter or sort. If the parameters of a start are in the body, the status is 422.",
    remedy: "errors names each of them and what is allowed.",
  },
  "invalid-report-type": {
    status: 400,
    meaning: "reportType is missing, repeated or unknown. In a body, the status is 422.",
    remedy: "Use one of /v1/report-types, in exactly that spelling.",
  },
  "too-many-connections": {
    status: 503,
    meaning:
      "The instance, or the caller's address, has reached its connection limit; the last connections are reserved for probes.",
    remedy: "Close unused connections, or reuse them. Behind your own proxy, share its connections.",
  },
  "credentials-missing": {
    status: 401,
    meaning: "The request carries no credentials.",
    remedy: "Send Authorization with a bearer token or with Basic credentials.",
  },
  "credentials-invalid": {
    status: 401,
    meaning: "The token, the name or the password is wrong or has expired.",
    remedy: "Get a new token, or check name and password.",
  },
  "authority-missing": {
    status: 403,
    meaning: "The caller is authenticated but lacks an authority.",
    remedy: "detail names the authority; ask an operator to grant it.",
  },
  "not-the-requester": {
    status: 403,
    meaning: "Only a report's requester or a holder of REPORTS_ADMIN may change or delete it.",
    remedy: "Ask the requester, or somebody with REPORTS_ADMIN.",
  },
  "prefetch-refused": {
    status: 403,
    meaning: "The request was a prefetch, and a prefetch does not start a report.",
    remedy: "Send the request without the prefetch headers.",
  },
  "cross-site-refused": {
    status: 403,
    meaning:
      "The request came from a page of another site or host. Such a page cannot start, create or change anything.",
    remedy: "Send the request from the gateway's own clients.",
  },
  "path-not-found": {
    status: 404,
    meaning: "There is nothing under this path.",
    remedy: "Paths are case-sensitive and have no trailing slash; /docs lists them.",
  },
  "record-not-found": {
    status: 404,
    meaning: "There is no such record, or not under this parent, or the caller may not see it.",
    remedy: "Look up the ID in the list.",
  },
  "report-not-found": {
    status: 404,
    meaning: "There is no such report, or the caller may not see it.",
    remedy: "Look up the ID in /v1/reports.",
  },
  "report-type-not-found": { status: 404, meaning: "There is no such report type.", remedy: "See /v1/report-types." },
  "filter-values-not-found": { status: 404, meaning: "The filter lists no values.", remedy: "See filterValues." },
  "problem-not-found": { status: 404, meaning: "There is no such type of problem.", remedy: "See /problems." },
  "report-cancelled": { status: 404, meaning: "The report was cancelled and has no file.", remedy: "Start it again." },
  "report-failed": {
    status: 404,
    meaning: "The report failed and has no file; errors carries the cause.",
    remedy: "Start it again if the cause may have passed.",
  },
  "file-not-found": {
    status: 404,
    meaning: "The report has no such file, or none yet.",
    remedy: "Wait until its status is SUCCEEDED; its record names the file.",
  },
  "link-not-found": {
    status: 404,
    meaning:
      "There is no such link, or it has ended: its time is over, it was revoked, its report or file was removed, or its maker may no longer download the file.",
    remedy: "Create another link.",
  },
  "webhook-not-found": {
    status: 404,
    meaning: "There is no such webhook or delivery, or the caller may not see it.",
    remedy: "Look up the ID in /v1/webhooks.",
  },
  "method-not-allowed": {
    status: 405,
    meaning: "The path does not support the method.",
    remedy: "Allow lists the supported methods.",
  },
  "not-acceptable": {
    status: 406,
    meaning: "Accept allows none of the available media types.",
    remedy: "detail lists them.",
  },
  "request-timeout": { status: 408, meaning: "The request did not arrive in time.", remedy: "Send it faster." },
  "record-deleted": { status: 410, meaning: "The record was permanently deleted.", remedy: "Stop using its ID." },
  "report-deleted": {
    status: 410,
    meaning: "The report was deleted.",
    remedy: "Start it again if it is still needed.",
  },
  "report-expired": {
    status: 410,
    meaning: "The report's file was removed after its retention.",
    remedy: "Start the report again.",
  },
  "report-file-lost": {
    status: 410,
    meaning: "The report's file is no longer stored.",
    remedy: "Start the report again.",
  },
  "report-file-damaged": {
    status: 410,
    meaning: "The stored file is not the one that the report published, and is no longer served.",
    remedy: "Start the report again.",
  },
  "file-deleted": {
    status: 410,
    meaning: "The additional file was deleted.",
    remedy: "Request another one from the report if you still need it.",
  },
  "rows-gone": {
    status: 410,
    meaning: "The row snapshot of the report is no longer stored.",
    remedy: "Start the report again with keepRows.",
  },
  "precondition-failed": {
    status: 412,
    meaning:
      "The precondition failed: the record was changed in the meantime, or If-Match has a weak entity tag, which never matches.",
    remedy:
      'Read the record again, then decide. If its ETag begins with W/, a proxy changes it: switch its compression off (in nginx: "gzip off").',
  },
  "body-too-large": { status: 413, meaning: "The body is larger than 256 KiB.", remedy: "Send less." },
  "unsupported-media-type": {
    status: 415,
    meaning: "The body's media type is not supported.",
    remedy: "Accept-Post or Accept-Patch lists the supported ones.",
  },
  "unsupported-content-coding": { status: 415, meaning: "The body is compressed.", remedy: "Send it uncompressed." },
  "range-not-satisfiable": {
    status: 416,
    meaning: "The range lies outside the file.",
    remedy: "Content-Range says how many bytes there are.",
  },
  "invalid-body": { status: 422, meaning: "The body is not a JSON object.", remedy: "Send an object." },
  "invalid-record": {
    status: 422,
    meaning:
      'The record breaks rules; nothing was changed. If another record already has a value that must be unique, the mistake has the code "taken".',
    remedy: "errors lists the mistakes, each with a JSON pointer.",
  },
  ...renditionProblemTypes,
  ...scheduleProblemTypes,
  "too-many-links": {
    status: 422,
    meaning: "The caller has reached its limit of active links.",
    remedy: "Revoke one, or wait until one has ended.",
  },
  "too-many-webhooks": {
    status: 422,
    meaning:
      "The caller has reached its limit of webhooks, or the limit of webhooks for the reports of all callers is reached.",
    remedy: "Delete one that is not needed any more.",
  },
  "preview-not-available": {
    status: 422,
    meaning: "Rows of this report type cannot be shown before a report is made.",
    remedy: "Start a report of few rows; /v1/report-types says which types have a preview.",
  },
  "idempotency-key-reused": {
    status: 422,
    meaning: "The Idempotency-Key was used for another request before.",
    remedy: "Use a new key for a new request.",
  },
  ...limitProblemTypes,
  "request-header-fields-too-large": {
    status: 431,
    meaning: "The URL and the headers together are larger than 16 KiB.",
    remedy: "Shorten the URL or the headers.",
  },
  "internal-error": {
    status: 500,
    meaning:
      "An internal error of the service. The request may have had an effect; for example, a report may have been started.",
    remedy: "Repeat a start with the same Idempotency-Key. Report the requestId if it happens again.",
  },
  "dependency-unavailable": {
    status: 503,
    meaning: "The database, the file store or the data source of a report type cannot be reached.",
    remedy: retryHint,
  },
  "outcome-unknown": {
    status: 503,
    meaning: "The database has not confirmed a change, and may still make it.",
    remedy:
      "Repeat the request with the same Idempotency-Key: it takes effect once. Without a key, check whether the change was made before you repeat the request.",
  },
  "list-too-slow": {
    status: 503,
    meaning: "The list took too long and was stopped, or it waited too long for a database connection.",
    remedy: "Sort by fewer fields or by default, add a filter, or leave out count. If the list only waited, try again.",
  },
  "preview-too-slow": {
    status: 503,
    meaning: "The preview took too long and was stopped, or it waited too long for a database connection.",
    remedy: "Sort by fewer columns or by default, or add a filter. If the preview only waited, try again.",
  },
  "issuer-unavailable": {
    status: 503,
    meaning: "The token issuer's keys are unavailable, so the bearer token cannot be verified.",
    remedy: `${retryHint} Basic credentials are not affected.`,
  },
  "report-file-unverified": {
    status: 503,
    meaning:
      "The stored file differs from the one that the report published; a second read decides whether it is damaged.",
    remedy: "Try again in a minute. The response is then the file or 410.",
  },
  "store-mismatch": {
    status: 503,
    meaning:
      "The configured file store does not belong to the service's database. This has to be fixed by its operators; no file is lost by it.",
    remedy: retryHint,
  },
  "too-many-bodies": {
    status: 429,
    meaning: "The caller's requests in progress have reached the limit of body bytes per caller.",
    remedy: "Send the next request when some have been answered.",
  },
  "body-capacity-reached": {
    status: 503,
    meaning: "The requests in progress of all callers have reached the limit of body bytes.",
    remedy: retryHint,
  },
  "login-busy": { status: 503, meaning: "Too many passwords are being checked at the same time.", remedy: retryHint },
  "not-ready": {
    status: 503,
    meaning: "The process is starting or stopping, or a dependency is unavailable.",
    remedy: retryHint,
  },
  "webhook-key-not-held": {
    status: 503,
    meaning:
      "No running worker has the key under which this instance stores secrets of webhooks; nothing was changed. The service's operators have to fix this.",
    remedy: retryHint,
  },
  "too-much-contention": {
    status: 503,
    meaning: "Concurrent changes to the record kept conflicting.",
    remedy: retryHint,
  },
  unavailable: { status: 503, meaning: "The service cannot do this at the moment.", remedy: retryHint },
} as const satisfies Readonly<Record<string, ProblemType>>;

/** Code of a problem, such as `report-deleted`. */
export type ProblemCode = keyof typeof problemCatalogue;

/** Codes of all problems, in the order of the catalogue. */
export const problemCodes = keysOf(problemCatalogue);
