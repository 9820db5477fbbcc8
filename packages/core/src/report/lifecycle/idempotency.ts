import { createHash } from "node:crypto";
import { DomainError } from "../../base/errors.ts";
import type { Report } from "./report-record.ts";

/** A start that is to happen once, by its caller's key. docs/reference/http.md#idempotency-keys. */
export interface OnceKey {
  /** Name of the endpoint: keys of other endpoints are other keys. */
  readonly endpoint: string;
  readonly key: string;
  /** Makes the answer that is kept, out of the new report. */
  answerOf(report: Report): string;
}

/** The same with whose it is and what it stands for: another request under the same key is refused. */
export interface OnceClaim extends OnceKey {
  readonly principalId: string;
  readonly fingerprint: string;
}

const quoted = /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$/;
const bare = /^[A-Za-z0-9._~:/+=-]{1,255}$/;

/**
 * Reads an `Idempotency-Key` header: a string in double quotes, as draft-ietf-httpapi-idempotency-key-header wants it, or bare, as
 * most callers send it. Both spellings are the same key. Null without the header; throws DomainError("bad-request").
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

/**
 * Says whose key it is and what it stands for: `asked`, as JSON writes it. A version of the definition that is deployed between two tries
 * does not make them different, and neither does what a relative time has come to mean: neither belongs to `asked`.
 */
export function claimOnce(principalId: string, once: OnceKey, asked: readonly unknown[]): OnceClaim {
  return { ...once, principalId, fingerprint: createHash("sha256").update(JSON.stringify(asked)).digest("hex") };
}
