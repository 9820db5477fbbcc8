import { createHash } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { Report } from "./report-record.ts";

/** A start that happens once per key of its caller. docs/reference/http.md#idempotency-keys. */
export interface OnceKey {
  /** Keys are separate per endpoint. */
  readonly endpoint: string;
  readonly key: string;
  /** Makes the stored response from the new report. */
  answerOf(report: Report): string;
}

/** With its owner and its meaning: another request under the same key is refused. */
export interface OnceClaim extends OnceKey {
  readonly principalId: string;
  readonly fingerprint: string;
}

const quoted = /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$/;
const bare = /^[A-Za-z0-9._~:/+=-]{1,255}$/;

/**
 * Reads an `Idempotency-Key` header: in double quotes (draft-ietf-httpapi-idempotency-key-header), or bare, as most callers send
 * it. Both spellings are the same key. Null without the header; throws DomainError("bad-request").
 */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = quoted.exec(header)?.[1] ?? bare.exec(header)?.[0];
  if (key !== undefined) return key;
  const message =
    "Idempotency-Key must be one key of 1 to 255 characters: letters, digits and ._~:/+=- or, in double quotes, printable ASCII without quotes and backslashes.";
  throw new DomainError("bad-request", "invalid-header", message, {
    issues: [{ header: "Idempotency-Key", code: "malformed_header", message }],
  });
}

/** Claims a key for `asked`, which must not contain versions or instants, so that a retry stays the same. */
export function claimOnce(principalId: string, once: OnceKey, asked: readonly unknown[]): OnceClaim {
  return { ...once, principalId, fingerprint: createHash("sha256").update(JSON.stringify(asked)).digest("hex") };
}
