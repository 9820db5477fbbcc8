/** What one type of problem means, and what to do about it. */
export interface ProblemType {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

const tryAgain = "Try again after the seconds that Retry-After names.";

/** Every type of problem that the gateway answers, by its code: what `/problems/{slug}` shows. RFC 9457 §3.1.1. */
export const problemCatalogue = {
  "malformed-request": {
    status: 400,
    meaning: "What arrived is not a well-formed HTTP request.",
    remedy: "Look at what the client or a proxy between writes.",
  },
  "bad-request": {
    status: 400,
    meaning: "The request did not arrive whole, or cannot be understood.",
    remedy: "Send it again, whole.",
  },
  "malformed-path": {
    status: 400,
    meaning: "The path is not percent-encoded UTF-8.",
    remedy: "Encode each segment.",
  },
  "malformed-body": {
    status: 400,
    meaning:
      "The body is not JSON, or JSON that parsers read in different ways: a key twice, invalid UTF-8, deep nesting.",
    remedy: "Send one JSON value in UTF-8.",
  },
  "invalid-header": {
    status: 400,
    meaning: "A request header cannot be read.",
    remedy: "errors names the header and its form.",
  },
  "invalid-parameters": {
    status: 400,
    meaning:
      "Parameters are unknown, repeated or wrong. Of a start whose parameters stand in the body, the status is 422.",
    remedy: "errors names each of them and what is allowed.",
  },
  "invalid-report-type": {
    status: 400,
    meaning: "reportType is missing, repeated or unknown. In a body, the status is 422.",
    remedy: "Use one of /v1/report-types, spelled exactly so.",
  },
  "bad-cursor": {
    status: 400,
    meaning: "The cursor was made for another list, filter or sort.",
    remedy: "Begin without a cursor.",
  },
  "too-many-connections": {
    status: 503,
    meaning:
      "All connections of the instance, or all that one address may have, are taken; the last ones are kept for probes.",
    remedy:
      "Close connections that are not used, or use them again. Behind a proxy of your own, share its connections.",
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
    meaning: "The caller is known and lacks an authority.",
    remedy: "detail names the authority; ask whoever grants them.",
  },
  "not-the-requester": {
    status: 403,
    meaning: "Only who asked for a report, or an administrator of reports, may change or delete it.",
    remedy: "Ask the requester, or somebody with REPORTS_ADMIN.",
  },
  "prefetch-refused": {
    status: 403,
    meaning: "The client fetched ahead; that starts no report.",
    remedy: "Ask for the report when it is wanted.",
  },
  "cross-site-refused": {
    status: 403,
    meaning: "A page of another site made the request; that starts no report.",
    remedy: "Start the report from the gateway's own clients.",
  },
  "path-not-found": {
    status: 404,
    meaning: "There is nothing under this path.",
    remedy: "Paths are case-sensitive and have no trailing slash; /docs lists them.",
  },
  "record-not-found": {
    status: 404,
    meaning: "There never was such a record, or not under this parent.",
    remedy: "Look the id up in the list.",
  },
  "report-not-found": {
    status: 404,
    meaning: "There is no such report, or none that the caller may know of.",
    remedy: "Look the id up in /v1/reports.",
  },
  "report-type-not-found": { status: 404, meaning: "There is no such report type.", remedy: "See /v1/report-types." },
  "problem-not-found": { status: 404, meaning: "There is no such type of problem.", remedy: "See /problems." },
  "report-cancelled": {
    status: 404,
    meaning: "The report was cancelled and has no file.",
    remedy: "Start it again.",
  },
  "report-failed": {
    status: 404,
    meaning: "The report failed and has no file; errors carries the cause.",
    remedy: "Start it again where the cause can pass.",
  },
  "file-not-found": {
    status: 404,
    meaning: "The report has no such file, or none yet.",
    remedy: "Wait until its status is SUCCEEDED; its record names the file.",
  },
  "method-not-allowed": {
    status: 405,
    meaning: "The path does not know the method.",
    remedy: "Allow lists those that it knows.",
  },
  "not-acceptable": {
    status: 406,
    meaning: "Accept allows none of the forms that there are.",
    remedy: "detail lists them.",
  },
  "request-timeout": {
    status: 408,
    meaning: "The request did not arrive in time.",
    remedy: "Send it faster.",
  },
  "record-deleted": {
    status: 410,
    meaning: "The record was deleted and will not come back.",
    remedy: "Forget its id.",
  },
  "report-deleted": { status: 410, meaning: "The report was deleted.", remedy: "Start it again where it is needed." },
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
    meaning: "The stored file was found not to be the one that the report published, and is no longer given out.",
    remedy: "Start the report again.",
  },
  "precondition-failed": {
    status: 412,
    meaning: "The condition of the request does not hold: somebody changed the record meanwhile.",
    remedy: "Read the record again and decide anew.",
  },
  "body-too-large": { status: 413, meaning: "The body has more than 256 KiB.", remedy: "Send less." },
  "unsupported-media-type": {
    status: 415,
    meaning: "The body is of a media type that is not taken.",
    remedy: "Accept-Post or Accept-Patch names those that are.",
  },
  "unsupported-content-coding": {
    status: 415,
    meaning: "The body is compressed.",
    remedy: "Send it as it is.",
  },
  "range-not-satisfiable": {
    status: 416,
    meaning: "The range lies outside the file.",
    remedy: "Content-Range says how many bytes there are.",
  },
  "invalid-body": { status: 422, meaning: "The body is not a JSON object.", remedy: "Send an object." },
  "invalid-record": {
    status: 422,
    meaning: "The record breaks rules; nothing was changed. A value that another record has is of code taken.",
    remedy: "errors lists all of them, each with a JSON pointer.",
  },
  "idempotency-key-reused": {
    status: 422,
    meaning: "The Idempotency-Key was used for another request before.",
    remedy: "Use a new key for a new request.",
  },
  "too-many-starts": { status: 429, meaning: "The caller starts more reports a minute than it may.", remedy: tryAgain },
  "too-many-unfinished": {
    status: 429,
    meaning: "The caller has as many unfinished reports as it may have.",
    remedy: "Wait until one has ended, or cancel one.",
  },
  "too-many-failed-logins": {
    status: 429,
    meaning: "Too many logins with a wrong name or password came from this address, or for this user.",
    remedy: `${tryAgain} Bearer tokens are taken meanwhile.`,
  },
  "too-many-requests": {
    status: 429,
    meaning: "The caller makes more requests a minute than it may.",
    remedy: tryAgain,
  },
  "too-many-downloads": { status: 429, meaning: "Too many downloads run at once.", remedy: tryAgain },
  "too-many-lists": {
    status: 429,
    meaning: "The caller has as many lists under way as it may have.",
    remedy: "Ask for the next list when one has been answered.",
  },
  "too-many-watches": { status: 429, meaning: "Too many callers wait for reports at once.", remedy: tryAgain },
  overloaded: {
    status: 429,
    meaning: "The queue of reports is too long or too old; nothing was started.",
    remedy: tryAgain,
  },
  "request-header-fields-too-large": {
    status: 431,
    meaning: "The URL and the headers together have more than 16 KiB.",
    remedy: "Ask for less at once.",
  },
  "internal-error": {
    status: 500,
    meaning: "A fault of the gateway; it is not known whether the request had an effect.",
    remedy: "Report the requestId if it happens again.",
  },
  "dependency-unavailable": {
    status: 503,
    meaning: "The database or the file store cannot be reached.",
    remedy: tryAgain,
  },
  "list-too-slow": {
    status: 503,
    meaning:
      "The list was not ready within its time, and its statement was stopped; or others were being read for so long that its turn did not come.",
    remedy: "Sort by fewer fields or by default, add a filter, or leave count out. Where it waited, try again.",
  },
  "issuer-unavailable": {
    status: 503,
    meaning: "The issuer of bearer tokens does not give its keys, so that no token can be verified.",
    remedy: `${tryAgain} Basic credentials are not affected.`,
  },
  "report-file-unverified": {
    status: 503,
    meaning:
      "The stored file differs from the one that the report published; a second look decides whether it is damaged.",
    remedy: "Try again in a minute: the answer is then the file, or 410.",
  },
  "store-mismatch": {
    status: 503,
    meaning: "The file store is not the one of the service's records: it is being mended, and no file is lost by it.",
    remedy: tryAgain,
  },
  "too-many-bodies": {
    status: 429,
    meaning: "More bytes of bodies of the caller are on their way at once than one caller may have.",
    remedy: "Send the next one when some have been answered.",
  },
  "body-room-taken": {
    status: 503,
    meaning: "Too many request bodies of all callers are on their way at once.",
    remedy: tryAgain,
  },
  "login-busy": { status: 503, meaning: "Too many passwords are being checked at once.", remedy: tryAgain },
  "not-ready": { status: 503, meaning: "The process is starting, stopping or lacks a part.", remedy: tryAgain },
  "too-much-contention": {
    status: 503,
    meaning: "Others change the record over and over.",
    remedy: tryAgain,
  },
  unavailable: { status: 503, meaning: "The service cannot do this at the moment.", remedy: tryAgain },
} as const satisfies Readonly<Record<string, ProblemType>>;

/** The code of a problem. */
export type ProblemCode = keyof typeof problemCatalogue;

/** Every code, in the order of the catalogue. */
export const problemCodes = Object.keys(problemCatalogue) as [ProblemCode, ...ProblemCode[]];
