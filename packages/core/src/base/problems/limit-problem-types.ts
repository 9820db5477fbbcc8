import { retryHint, type ProblemType } from "./problem-type.ts";

export const limitProblemTypes = {
  "query-too-long": {
    status: 400,
    meaning:
      "The list has a next page, and the filters do not fit into the cursor of that page. A cursor has at most 2,048 characters, after compression.",
    remedy: "Give fewer or shorter values or a larger limit, or divide the values over several lists.",
  },
  "too-many-starts": {
    status: 429,
    meaning: "The caller has reached its limit of report starts per minute.",
    remedy: retryHint,
  },
  "too-many-unfinished": {
    status: 429,
    meaning: "The caller has reached its limit of unfinished reports.",
    remedy: "Wait until one has ended, or cancel one.",
  },
  "too-many-failed-logins": {
    status: 429,
    meaning: "Too many failed logins came from this address or with this user name.",
    remedy: `${retryHint} Bearer tokens are not affected.`,
  },
  "too-many-unknown-links": {
    status: 429,
    meaning: "Too many links that were followed from this address within a minute do not exist or have ended.",
    remedy: "Wait for as many seconds as Retry-After says. Active links are not affected.",
  },
  "too-many-requests": {
    status: 429,
    meaning: "The caller has reached its limit of requests per minute.",
    remedy: retryHint,
  },
  "too-many-downloads": { status: 429, meaning: "The limit of concurrent downloads is reached.", remedy: retryHint },
  "too-many-lists": {
    status: 429,
    meaning: "The caller has reached its limit of concurrent lists.",
    remedy: "Send the next request when a list has been returned.",
  },
  "too-many-previews": {
    status: 429,
    meaning: "The caller has reached its limit of previews per minute, or of concurrent previews and estimates.",
    remedy: retryHint,
  },
  "too-many-watches": {
    status: 429,
    meaning:
      "The limit of open event streams and waiting requests is reached, so no further event stream is opened. A request with Prefer: wait is not refused: it gets its response without a wait.",
    remedy: retryHint,
  },
  "too-many-secrets": {
    status: 429,
    meaning: "The limit of earlier secrets that still sign is reached. The secret was not rotated.",
    remedy:
      "Use the newest secret. Retry-After says when the next earlier secret ends and another rotation is possible.",
  },
  overloaded: {
    status: 429,
    meaning: "Too many reports are queued, or they have waited too long; no report was started.",
    remedy: retryHint,
  },
} as const satisfies Readonly<Record<string, ProblemType>>;
