import { hash } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { Report } from "./report-record.ts";

/** An idempotency key: all starts of a caller with the same key create one report. docs/reference/http.md#idempotency-keys. */
export interface OnceKey {
  readonly endpoint: string;
  readonly key: string;
  answerOf(report: Report): string;
}

/** An idempotency key with its owner and a hash of the request. A different request with the same key is refused. */
export interface OnceClaim extends OnceKey {
  readonly principalId: string;
  readonly fingerprint: string;
}

const quotedKeyPattern = /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$/;
const bareKeyPattern = /^[A-Za-z0-9._~:/+=-]{1,255}$/;

/**
 * Reads an `Idempotency-Key` header, with double quotes (draft-ietf-httpapi-idempotency-key-header) or without, as most callers send it. Both
 * spellings are the same key. Returns null without the header. Throws DomainError("bad-request") for an invalid key.
 */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = quotedKeyPattern.exec(header)?.[1] ?? bareKeyPattern.exec(header)?.[0];
  if (key !== undefined) return key;
  const message =
    "Idempotency-Key must be one key of 1 to 255 characters: letters, digits and ._~:/+=- or, in double quotes, printable ASCII without quotes and backslashes.";
  throw new DomainError("bad-request", "invalid-header", message, {
    issues: [{ header: "Idempotency-Key", code: "malformed_header", message }],
  });
}

/** Returns the claim of a key. `request` must contain no versions and no resolved times, because a retry with another hash is refused. */
export function createOnceClaim(principalId: string, once: OnceKey, request: readonly unknown[]): OnceClaim {
  return { ...once, principalId, fingerprint: hash("sha256", JSON.stringify(request)) };
}
